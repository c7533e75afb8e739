// Target regions that the host runs, and the host after them.
// FLAGS: -fopenmp
// RUN: KMP_WARNINGS=0 exec "$OUT"
int a[100], sum;

int main(void) {
#pragma omp target map(tofrom : a)
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) a[i] = i;
    a[0]++;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2) map(tofrom : a, sum) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += a[i];
    return sum != 4951;
}
