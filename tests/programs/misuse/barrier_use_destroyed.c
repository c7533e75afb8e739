// EXPECT: ^WARNING: Goldilocks: use of a destroyed barrier on `barrier`
// EXPECT: ^  Destruction of barrier by main thread T0:$
// EXPECT: ^  Destroyed by main thread T0:$
#include <pthread.h>

#include "check.h"

static pthread_barrier_t barrier;

int main(void) {
    CHECK(pthread_barrier_init(&barrier, 0, 1) == 0);
    CHECK(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
