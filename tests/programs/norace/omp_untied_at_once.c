// Untied tasks that their thread runs at once, as there are enough in the queue. Then the parts of a task are called from within one
// another.
// FLAGS: -fopenmp
static int values[1000];

static void untied(int *value) {
#pragma omp task untied
    {
        ++*value;
#pragma omp taskyield
        ++*value;
#pragma omp taskyield
        ++*value;
    }
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 1000; i++) {
        untied(&values[i]);
    }
    for (int i = 0; i < 1000; i++) {
        if (values[i] != 3) {
            return 1;
        }
    }
    return 0;
}
