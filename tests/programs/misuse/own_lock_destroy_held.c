// EXPECT: ^WARNING: Goldilocks: destruction of a lock that is held on `lock`
// EXPECT: ^  Destruction of lock by main thread T0, holding lock:$
// EXPECT: ^  Locked by main thread T0:$
// EXPECT: #0 main .*own_lock_destroy_held.c:12
#include "own_lock.h"

static int lock;

int main(void) {
    __tsan_mutex_create(&lock, 0);

    OWN_LOCK(&lock, 0);
    __tsan_mutex_destroy(&lock, 0);
    return 0;
}
