// The members of an exclusive set take turns.
// FLAGS: -fopenmp
static int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : value)
        value += 1;
    }
    return value != 20;
}
