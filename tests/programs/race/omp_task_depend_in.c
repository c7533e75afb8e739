// A task writes what it says that it only reads.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
#pragma omp task depend(in : value)
        value = 2;
#pragma omp task depend(in : value)
        value = 3;
    }
    return 0;
}
