// The others do not wait for what one of them writes.
// FLAGS: -fopenmp
#include <omp.h>
int shared, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
        shared = 1;
        seen[omp_get_thread_num()] = shared;
    }
    return 0;
}
