// The second loop reads what other threads write in the first, which nobody waits for.
// FLAGS: -fopenmp
int a[400], b[400];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < 400; i++) a[i] = i;
#pragma omp for
        for (int i = 0; i < 400; i++) b[i] = a[399 - i];
    }
    return 0;
}
