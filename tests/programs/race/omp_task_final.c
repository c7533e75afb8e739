// Tasks beneath one that is not final run on their own.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp task final(0)
    {
#pragma omp task
        value++;
#pragma omp task
        value++;
#pragma omp taskwait
    }
    return value == 0;
}
