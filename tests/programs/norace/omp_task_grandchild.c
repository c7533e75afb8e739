// A taskgroup waits for descendants; a taskwait at every level does, too.
// FLAGS: -fopenmp
static int shared;

static void deep(int level) {
    if (level == 0) {
        shared++;
        return;
    }
#pragma omp task
    deep(level - 1);
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 20; round++) {
#pragma omp taskgroup
        deep(5);
        shared++;
#pragma omp task
        {
#pragma omp task
            shared++;
#pragma omp taskwait
        }
#pragma omp taskwait
        shared++;
    }
    return shared != 80;
}
