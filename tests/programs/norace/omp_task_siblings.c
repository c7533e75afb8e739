// Two tasks with a taskwait between them; the barrier waits for the second.
// FLAGS: -fopenmp
static int shared;

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        {
#pragma omp task
            shared = 1;
#pragma omp taskwait
#pragma omp task
            shared = 2;
        }
#pragma omp for
        for (int i = 0; i < 4; i++)
            if (shared != 2) __builtin_trap();
    }
    return shared - 2;
}
