// Dependences order children of one task, not those of two.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task depend(out : value)
            value = 1;
        }
#pragma omp task
        {
#pragma omp task depend(out : value)
            value = 2;
        }
    }
    return 0;
}
