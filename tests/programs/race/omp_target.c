// A target region that the host runs.
// FLAGS: -fopenmp
// RUN: KMP_WARNINGS=0 exec "$OUT"
int sum;

int main(void) {
#pragma omp target map(tofrom : sum)
#pragma omp parallel num_threads(4)
    sum++;
    return 0;
}
