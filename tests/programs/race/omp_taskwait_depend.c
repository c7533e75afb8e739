// The taskwait waits for one of two tasks.
// FLAGS: -fopenmp
int one, two;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : one)
        one = 1;
#pragma omp task depend(out : two)
        two = 1;
#pragma omp taskwait depend(in : one)
        one = 2;
        two = 2;
    }
    return 0;
}
