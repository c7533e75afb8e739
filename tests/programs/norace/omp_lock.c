// One lock for one variable, set and tested; made and destroyed again and again.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    for (int round = 0; round < 10; round++) {
        omp_lock_t lock;
        omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
        for (int i = 0; i < 20; i++) {
            if (i & 1) {
                while (!omp_test_lock(&lock)) {}
            } else {
                omp_set_lock(&lock);
            }
            count++;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
    }
    return count != 800;
}
