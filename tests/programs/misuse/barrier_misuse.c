// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: destruction of a barrier at which threads wait on `barrier`
// EXPECT: ^  Destruction of barrier, at which 1 thread waits, by main thread T0
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static pthread_barrier_t barrier;

static void *waiter(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    CHECK(pthread_barrier_init(&barrier, 0, 2) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, waiter, 0) == 0);
    // Nothing tells when it has arrived.
    usleep(300000);
    pthread_barrier_destroy(&barrier);
    return 0;
}
