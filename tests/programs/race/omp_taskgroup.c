// The taskgroup does not wait for a task that was created before it.
// FLAGS: -fopenmp
int shared, other;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        shared = 1;
#pragma omp taskgroup
        {
#pragma omp task
            other = 1;
        }
        other = 2;
        shared = 2;
    }
    return 0;
}
