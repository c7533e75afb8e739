// A lock with a hint.
// FLAGS: -fopenmp -fopenmp-version=50
#include <omp.h>
int value;

int main(void) {
    omp_lock_t lock;
    omp_init_lock_with_hint(&lock, omp_sync_hint_uncontended);
#pragma omp parallel num_threads(4)
    {
        int takes = 1;
        if (takes) omp_set_lock(&lock);
        value++;
        if (takes) omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return value == 0;
}
