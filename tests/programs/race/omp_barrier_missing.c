// Two phases of a region without a barrier between them.
// FLAGS: -fopenmp
#include <omp.h>
int a[4], b[4];

int main(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        a[me] = me;
        b[me] = a[(me + 1) % 4];
    }
    return 0;
}
