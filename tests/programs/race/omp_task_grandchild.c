// A taskwait waits for children only.
// FLAGS: -fopenmp
int shared;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            shared = 1;
        }
#pragma omp taskwait
        shared = 2;
    }
    return 0;
}
