// Tasks beneath a final one run within it, one after the other.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp task final(1)
    {
#pragma omp task
        value++;
#pragma omp task
        value++;
#pragma omp taskwait
    }
    return value == 0;
}
