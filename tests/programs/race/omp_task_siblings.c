// Two tasks that nothing orders, whichever threads run them.
// FLAGS: -fopenmp
int shared;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        shared = 1;
#pragma omp task
        shared = 2;
    }
    return 0;
}
