// There is no barrier at the end of a masked region.
// FLAGS: -fopenmp
#include <omp.h>
int shared, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp masked
        shared = 1;
        seen[omp_get_thread_num()] = shared;
    }
    return 0;
}
