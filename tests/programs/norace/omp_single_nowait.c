// The others wait for what one of them writes.
// FLAGS: -fopenmp
#include <omp.h>
static int shared, seen[4];

int main(void) {
#pragma omp parallel num_threads(4)
    for (int round = 1; round <= 20; round++) {
#pragma omp single
        shared = round;
        seen[omp_get_thread_num()] = shared;
#pragma omp barrier
    }
    return seen[2] != 20;
}
