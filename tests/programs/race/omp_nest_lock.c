// What comes after the last of several releases is not guarded.
// FLAGS: -fopenmp
#include <omp.h>
int count;

int main(void) {
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
    {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        count++;
    }
    return 0;
}
