// A loop of tasks adds to a shared variable.
// FLAGS: -fopenmp -fopenmp-version=50
// EXPECT: data race on `sum`
int sum;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < 100; i++) sum += i;
    return sum < 0;
}
