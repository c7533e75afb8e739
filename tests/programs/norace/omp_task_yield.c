// Tasks that let others run, in a critical region each.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
#pragma omp taskyield
#pragma omp critical
            value++;
        }
    }
    return value == 0;
}
