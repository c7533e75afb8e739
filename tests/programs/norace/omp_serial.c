// One thread, and regions that are not parallel: nothing is unordered.
// FLAGS: -fopenmp
// RUN: OMP_NUM_THREADS=1 exec "$OUT"
int sum;

int main(int count, char **arguments) {
    (void)arguments;
#pragma omp parallel
    for (int i = 0; i < 10; i++) {
#pragma omp task
        sum += i;
    }
#pragma omp parallel num_threads(4) if (count > 1)
    sum++;
    return sum != 46;
}
