// A loop that is cancelled has shared something until then.
// FLAGS: -fopenmp
// RUN: OMP_CANCELLATION=true exec "$OUT"
int found, a[100];

int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
        found = i;
#pragma omp cancel for if (i == 99)
        a[i] = 1;
    }
    return 0;
}
