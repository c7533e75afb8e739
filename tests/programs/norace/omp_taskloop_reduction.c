// A loop of tasks with a reduction.
// FLAGS: -fopenmp -fopenmp-version=50
int sum;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(10) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    return sum < 0;
}
