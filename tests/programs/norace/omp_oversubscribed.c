// More threads than processors, that wait actively or not.
// FLAGS: -fopenmp
// LEVELS: O2
// RUN: for policy in active passive; do OMP_NUM_THREADS=16 OMP_WAIT_POLICY=$policy "$OUT"; done
int a[160], sum;

int main(void) {
    for (int round = 0; round < 5; round++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 160; i++) sum += a[i]++;
#pragma omp parallel
        {
#pragma omp single
            for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(i) depend(inout : a[i])
                a[i]++;
            }
        }
    }
    return sum <= 0;
}
