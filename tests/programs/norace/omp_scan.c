// A running sum by a scan.
// FLAGS: -fopenmp -fopenmp-version=50
static int a[100], out[100];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++) a[i] = 1;
#pragma omp parallel for num_threads(4) reduction(inscan, + : sum)
    for (int i = 0; i < 100; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        out[i] = sum;
    }
    return out[99] < 0;
}
