// Results of tasks, recursively, each waited for.
// FLAGS: -fopenmp
static int fibonacci(int n) {
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void) {
    int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    result = fibonacci(14);
    return result != 377;
}
