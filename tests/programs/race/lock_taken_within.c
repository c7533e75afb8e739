// A method of a lock that takes it by another method is seen twice, and the lock is held once.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread T0, holding no lock
// EXPECT: Earlier write of size 4 at 0x[0-9a-f]+ by thread T1, holding no lock
#include "unordered.h"

// As the pass calls it: kind 0 is a mutex, whose word was 0 and is 1 when it is taken.
void __goldilocks_lock_word(const void *lock, unsigned kind, unsigned before, unsigned after);

static int lock;
static volatile int shared;

static void use(void) {
    __goldilocks_lock_word(&lock, 0, 0, 1);
    __goldilocks_lock_word(&lock, 0, 0, 1);
    __goldilocks_lock_word(&lock, 0, 1, 0);
    shared = 1;
}

static void first(void) {
    use();
}

static void second(void) {
    use();
}
