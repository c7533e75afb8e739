// The second loop reads what other threads write in the first, after the barrier; the third only what its thread has written.
// FLAGS: -fopenmp
static int a[400], b[400], c[400];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for
        for (int i = 0; i < 400; i++) a[i] = i;
#pragma omp for nowait schedule(static)
        for (int i = 0; i < 400; i++) b[i] = a[399 - i];
#pragma omp for schedule(static)
        for (int i = 0; i < 400; i++) c[i] = b[i];
    }
    return c[0] != 399;
}
