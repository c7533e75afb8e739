// The result of a task is used before anybody has waited for it.
// FLAGS: -fopenmp
int result, copy;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        result = 1;
        copy = result;
#pragma omp taskwait
    }
    return 0;
}
