// There is no barrier at the end of a masked region, so here is one.
// FLAGS: -fopenmp
#include <omp.h>
static int shared, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp masked
        shared = 1;
#pragma omp barrier
        seen[omp_get_thread_num()] = shared;
    }
    return seen[1] != 1;
}
