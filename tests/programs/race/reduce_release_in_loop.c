// Each round of a loop writes an element and then releases a flag of its own. Whoever acquires one flag may read what was
// written up to then; this thread reads further.
// EXPECT: Read of size 4 at
// EXPECT: Earlier write of size 4 at
// LEVELS: O0 O1 O2 O3
#include <stdatomic.h>

#include "unordered.h"

enum { ROUNDS = 100, ACQUIRED = 49, READ = 60 };
static int array[ROUNDS];
static atomic_int flags[ROUNDS];
static volatile int sink;

static void first(void) {
    for (int i = 0; i < ROUNDS; i++) {
        array[i] = i;
        atomic_store_explicit(&flags[i], 1, memory_order_release);
    }
}

static void second(void) {
    if (atomic_load_explicit(&flags[ACQUIRED], memory_order_acquire)) sink = array[READ];
}
