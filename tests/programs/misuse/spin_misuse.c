// EXPECT: ^WARNING: Goldilocks: unlock of an unlocked spin lock on `lock`
// EXPECT: ^WARNING: Goldilocks: unlock of a spin lock by a thread that does not hold it on `lock`
// EXPECT: ^WARNING: Goldilocks: destruction of a locked spin lock on `lock`
// EXPECT: ^WARNING: Goldilocks: use of a destroyed spin lock on `lock`
#include <pthread.h>

#include "check.h"

static pthread_spinlock_t lock;

static void *unlocker(void *unused) {
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    CHECK(pthread_spin_init(&lock, 0) == 0);
    pthread_spin_unlock(&lock);
    CHECK(pthread_spin_lock(&lock) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, unlocker, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    CHECK(pthread_spin_trylock(&lock) == 0);
    pthread_spin_destroy(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}
