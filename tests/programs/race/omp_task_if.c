// A task that may be deferred, and its creator.
// FLAGS: -fopenmp
// ARGS: deferred
int value;

int main(int count, char **arguments) {
    (void)arguments;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(value) if (count > 1)
        value = 1;
        value = 2;
    }
    return 0;
}
