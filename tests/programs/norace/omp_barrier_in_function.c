// The barrier is in a function, and between write and read.
// FLAGS: -fopenmp
#include <omp.h>
static int shared;

static void meet(void) {
#pragma omp barrier
}

int main(void) {
    int seen[4];
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me == 0) shared = 1;
        meet();
        seen[me] = shared;
    }
    return seen[3] - 1;
}
