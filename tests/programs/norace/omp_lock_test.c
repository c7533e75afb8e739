// A lock that was taken guards, whichever way it was.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 100; i++) {
        if (omp_test_lock(&lock)) {
            count++;
            omp_unset_lock(&lock);
        }
    }
    return 0;
}
