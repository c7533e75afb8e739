// The barrier is in a function, and comes before the write that it should come after.
// FLAGS: -fopenmp
#include <omp.h>
int shared;

static void meet(void) {
#pragma omp barrier
}

int main(void) {
    int seen[4];
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        meet();
        if (me == 0) shared = 1;
        seen[me] = shared;
    }
    return seen[0] - 1;
}
