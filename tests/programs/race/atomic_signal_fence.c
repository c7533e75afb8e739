// A fence for signal handlers orders nothing between threads.
// REPORTS: 1
// EXPECT: data race on `message`
#include <stdatomic.h>

#include "unordered.h"

static int message;
static atomic_int told;

static void first(void) {
    message = 1;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&told, 1, memory_order_relaxed);
}

static void second(void) {
    while (!atomic_load_explicit(&told, memory_order_relaxed)) continue;
    atomic_signal_fence(memory_order_seq_cst);
    message++;
}
