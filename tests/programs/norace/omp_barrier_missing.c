// Many phases of a region with barriers between them.
// FLAGS: -fopenmp
#include <omp.h>
static int a[4], b[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 100; round++) {
            a[me] = me + round;
#pragma omp barrier
            b[me] = a[(me + 1) % 4];
#pragma omp barrier
        }
    }
    return b[3] != 99;
}
