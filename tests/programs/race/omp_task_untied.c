// An untied task and its creator.
// FLAGS: -fopenmp
int value;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied
        {
            value++;
#pragma omp taskyield
            value++;
        }
        value++;
    }
    return 0;
}
