// Each iteration waits for the one before the last, and uses the last.
// FLAGS: -fopenmp
int a[100];

int main(void) {
#pragma omp parallel for ordered(1) num_threads(2) schedule(static, 1)
    for (int i = 2; i < 100; i++) {
#pragma omp ordered depend(sink : i - 2)
        a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    return 0;
}
