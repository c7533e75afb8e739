// The result of a reduction is there after the next barrier, which a thread does not wait for.
// FLAGS: -fopenmp
int sum, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < 100; i++) sum += i;
#pragma omp masked
        seen[0] = sum;
    }
    return 0;
}
