// Tasks that depend on the same address write one variable.
// FLAGS: -fopenmp
int result;

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        result = x + 1;
#pragma omp task shared(y) depend(out : x)
        result = y + 2;
    }
    return result == 0;
}
