// Loops, regions and taskgroups that are cancelled.
// FLAGS: -fopenmp
// RUN: OMP_CANCELLATION=true exec "$OUT"
int found, a[100], b[100];

int main(void) {
    for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for
            for (int i = 0; i < 100; i++) {
                if (i == 50) {
#pragma omp atomic write
                    found = i;
#pragma omp cancel for
                }
                a[i] = i;
#pragma omp cancellation point for
            }
#pragma omp single
            found++;
        }
#pragma omp parallel num_threads(4)
        {
#pragma omp cancel parallel if (round & 1)
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < 100; i++) b[i] = a[i];
        }
        b[0]++;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            {
                b[i]++;
#pragma omp cancel taskgroup if (i == 10)
            }
        }
        b[10]++;
    }
    return 0;
}
