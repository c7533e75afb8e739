// EXPECT: ^WARNING: Goldilocks: unlock of a lock that the thread does not hold on `lock`
// EXPECT: ^  Unlock of lock by main thread T0:$
// EXPECT: #0 main .*own_lock_unlock_unlocked.c:12
// EXPECT: ^Goldilocks: 1 finding \(
#include "own_lock.h"

static int lock;

int main(void) {
    OWN_LOCK(&lock, 0);
    OWN_UNLOCK(&lock, 0);
    OWN_UNLOCK(&lock, 0);
    return 0;
}
