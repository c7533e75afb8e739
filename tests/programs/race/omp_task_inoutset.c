// The members of a set do not wait for one another.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : value)
        value += 1;
#pragma omp task depend(inoutset : value)
        value += 2;
    }
    return 0;
}
