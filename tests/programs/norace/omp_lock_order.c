// Locks in different orders, in regions one after another and on both sides of a barrier.
// FLAGS: -fopenmp
#include <omp.h>

static omp_lock_t a, b, c, d;

static void nest(omp_lock_t *first, omp_lock_t *second) {
    omp_set_lock(first);
    omp_set_lock(second);
    omp_unset_lock(second);
    omp_unset_lock(first);
}

int main(void) {
    omp_init_lock(&a), omp_init_lock(&b), omp_init_lock(&c), omp_init_lock(&d);
#pragma omp parallel num_threads(3)
    nest(&a, &b);
#pragma omp parallel num_threads(3)
    {
        nest(&b, &a);
        nest(&c, &d);
#pragma omp barrier
        nest(&d, &c);
    }
    return 0;
}
