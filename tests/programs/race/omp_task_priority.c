// The task with the higher priority need not run first.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task priority(10)
        value = 1;
#pragma omp task priority(0)
        value = 2;
    }
    return value == 0;
}
