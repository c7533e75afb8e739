// That a task lets others run orders nothing.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
#pragma omp taskyield
            value++;
        }
    }
    return value == 0;
}
