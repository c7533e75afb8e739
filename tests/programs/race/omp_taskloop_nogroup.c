// A loop of tasks that nobody waits for.
// FLAGS: -fopenmp
// EXPECT: data race on `a
static int a[100];

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop nogroup num_tasks(8)
        for (int i = 0; i < 100; i++) a[i] = i;
        for (int i = 0; i < 100; i++) sum += a[i];
    }
    return sum < 0;
}
