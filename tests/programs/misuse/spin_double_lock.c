// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a spin lock on `lock`
#include <pthread.h>

#include "check.h"

static pthread_spinlock_t lock;

int main(void) {
    CHECK(pthread_spin_init(&lock, 0) == 0);
    CHECK(pthread_spin_lock(&lock) == 0);
    pthread_spin_lock(&lock);
    return 0;
}
