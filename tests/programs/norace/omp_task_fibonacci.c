// A sum over a tree of tasks.
// FLAGS: -fopenmp
static int sum(int n) {
    int left = 0, right = 0;
    if (n < 2) return n;
#pragma omp task shared(left) if (n > 6)
    left = sum(n - 1);
#pragma omp task shared(right) if (n > 6)
    right = sum(n - 2);
#pragma omp taskwait
    return left + right;
}

int main(void) {
    int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    result = sum(12);
    return result != 144;
}
