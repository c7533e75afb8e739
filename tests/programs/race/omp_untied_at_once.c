// Untied tasks that their thread runs at once, since there are enough in the queue, are not ordered with one another.
// FLAGS: -fopenmp
// EXPECT: data race on `value`
int value, others;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 600; i++) {
#pragma omp task untied firstprivate(i)
        {
#pragma omp atomic
            others++;
#pragma omp taskyield
            if (i >= 598) {
                value = i;
            }
        }
    }
    return others != 600;
}
