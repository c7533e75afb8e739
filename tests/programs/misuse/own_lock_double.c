// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a lock on `lock`
// EXPECT: ^  Lock of lock, which never returns, by main thread T0, holding lock:$
// EXPECT: #0 main .*own_lock_double.c:13
// EXPECT: ^  Locked before by main thread T0:$
// EXPECT: #0 main .*own_lock_double.c:12
#include "own_lock.h"

static int lock;

int main(void) {
    OWN_LOCK(&lock, 0);
    OWN_LOCK(&lock, 0);
    return 0;
}
