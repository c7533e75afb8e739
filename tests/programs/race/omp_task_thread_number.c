// An element per task, not per thread: two tasks use one.
// FLAGS: -fopenmp
int counts[4];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
        counts[i % 4]++;
    }
    return 0;
}
