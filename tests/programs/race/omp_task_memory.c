// The task outlives the block of the variable that it shares, and writes to what another one has put there since.
// FLAGS: -fopenmp
int *escaped;

int main(void) {
    int value = 0;
    escaped = &value;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            int inner = 0;
#pragma omp task shared(inner)
            *escaped = 1;
            inner++;
#pragma omp taskwait
        }
        value = 2;
    }
    return 0;
}
