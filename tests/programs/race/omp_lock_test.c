// A lock that was not taken guards nothing.
// FLAGS: -fopenmp
#include <omp.h>
#include "invisible.h"
int count, held, done;

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            invisible_signal(&held);
            count++;
            invisible_wait(&done, 1);
            omp_unset_lock(&lock);
        } else {
            invisible_wait(&held, 1);
            if (!omp_test_lock(&lock)) count++;
            invisible_signal(&done);
        }
    }
    return 0;
}
