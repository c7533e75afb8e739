// Two locks for one variable.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    omp_lock_t locks[2];
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *mine = &locks[omp_get_thread_num()];
        omp_set_lock(mine);
        count++;
        omp_unset_lock(mine);
    }
    return 0;
}
