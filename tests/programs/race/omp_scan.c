// A running sum by a loop in parallel.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on
static int a[100], out[100];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++) a[i] = 1;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
        sum += a[i];
        out[i] = sum;
    }
    return out[99] < 0;
}
