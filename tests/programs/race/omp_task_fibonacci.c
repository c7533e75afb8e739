// A sum over a tree of tasks, whose parts are not waited for.
// FLAGS: -fopenmp
// EXPECT: data race on
static int sum(int n) {
    int left = 0, right = 0;
    if (n < 2) return n;
#pragma omp task shared(left) if (n > 6)
    left = sum(n - 1);
#pragma omp task shared(right) if (n > 6)
    right = sum(n - 2);
    if (n <= 8) {
#pragma omp taskwait
    }
    int result = left + right;
#pragma omp taskwait
    return result;
}

int main(void) {
    int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    result = sum(12);
    return result < 0;
}
