// Epochs are swept up while threads wait for each other at one atomic: who sweeps must not hold it.
// OPTIONS: sweep_after=2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *work(void *unused) {
    for (int i = 0; i < 20000; i++) atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel);
    return unused;
}

int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    return count != 8 * 20000;
}
