// Tasks that depend on different addresses, and write one variable.
// FLAGS: -fopenmp
// EXPECT: data race on `result`
int result;

int main(void) {
    int x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        result = x + 1;
#pragma omp task shared(y) depend(out : y)
        result = y + 2;
    }
    return result == 0;
}
