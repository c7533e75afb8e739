// Untied tasks are left by one thread and may be taken up by another.
// FLAGS: -fopenmp
static int values[20];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task untied firstprivate(i)
        {
            for (int round = 0; round < 5; round++) {
                values[i]++;
#pragma omp taskyield
                values[i]++;
#pragma omp task
                values[i]++;
#pragma omp taskwait
            }
        }
    }
    return values[19] != 15;
}
