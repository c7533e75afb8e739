// A task that may not be deferred, its own children, and its creator. Final and mergeable tasks are such tasks, too.
// FLAGS: -fopenmp
int main(int count, char **arguments) {
    int value = 0;
    (void)arguments;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 10; round++) {
#pragma omp task shared(value) if (count > 1)
        value++;
        value++;
#pragma omp task shared(value) final(1)
        {
            value++;
#pragma omp task shared(value) mergeable
            value++;
            value++;
        }
#pragma omp taskwait
    }
    return value != 50;
}
