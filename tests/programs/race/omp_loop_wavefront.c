// The inner of two loops that depend on each other's neighbours runs in parallel.
// FLAGS: -fopenmp
// EXPECT: data race on `a
static int a[40][40];

int main(void) {
    for (int i = 1; i < 40; i++) {
#pragma omp parallel for num_threads(4)
        for (int j = 1; j < 40; j++) a[i][j] = a[i - 1][j] + a[i][j - 1];
    }
    return a[39][39];
}
