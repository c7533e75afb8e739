// A target region that is waited for.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : value)
        value = 1;
#pragma omp taskwait
        value += 1;
    }
    return value == 0;
}
