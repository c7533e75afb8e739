// Between the first of several releases and the last, the lock still guards.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 20; i++) {
        omp_set_nest_lock(&lock);
        if (omp_test_nest_lock(&lock)) {
            count++;
            omp_unset_nest_lock(&lock);
        }
        count++;
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return count != 160;
}
