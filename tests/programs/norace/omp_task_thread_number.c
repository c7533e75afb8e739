// An element per task; and per thread, used in nested functions.
// FLAGS: -fopenmp
#include <omp.h>
static int counts[8], per_thread[4];

static int *mine(void) { return &per_thread[omp_get_thread_num()]; }

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
        {
            counts[i]++;
            ++*mine();
#pragma omp task
            ++*mine();
#pragma omp taskwait
            ++*mine();
        }
    }
    return per_thread[0] + per_thread[1] + per_thread[2] + per_thread[3] != 24;
}
