// A league with loops distributed over it, on the host.
// FLAGS: -fopenmp
// RUN: KMP_WARNINGS=0 exec "$OUT"
int a[100], sum;

int main(void) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        a[i] = i;
        sum += i;
    }
#pragma omp teams distribute num_teams(2)
    for (int i = 0; i < 100; i++) a[i]++;
    return sum != 4950 || a[99] != 100;
}
