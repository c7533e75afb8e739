// An atomic of one byte that is freed says nothing to who loads from one at its address.
// FLAGS: -fno-builtin
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static volatile int shared;
// Relaxed: orders nothing.
static _Atomic(void *) before;
// Keeps the block apart from what the first thread has of malloc and gives back when it ends, before or after second().
static void *volatile apart;

__attribute__((constructor)) static void one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
}

static void first(void) {
    apart = malloc(5000);
    atomic_char *said = calloc(1, 5000);
    atomic_store_explicit(&before, said, memory_order_relaxed);
    shared = 1;
    atomic_store_explicit(said + 3, 1, memory_order_release);
    free(said);
}

static void second(void) {
    atomic_char *said = calloc(1, 5000);
    if (atomic_load_explicit(&before, memory_order_relaxed) != said) abort();
    (void)atomic_load_explicit(said + 3, memory_order_acquire);
    shared = 2;
    free(said);
}
