// Tasks of different priorities, the second of which waits for the first.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task priority(10)
        value = 1;
#pragma omp taskwait
#pragma omp task priority(0)
        value = 2;
    }
    return value == 0;
}
