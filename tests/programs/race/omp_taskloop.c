// The tasks of a loop share a variable.
// FLAGS: -fopenmp
int sum;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < 100; i++) sum += i;
    return 0;
}
