// An atomic of one byte that is freed says nothing to who loads from one at its address.
// FLAGS: -fno-builtin
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static volatile int shared;

__attribute__((constructor)) static void one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
}

static void first(void) {
    atomic_char *said = calloc(1, 5000);
    shared = 1;
    atomic_store_explicit(said + 3, 1, memory_order_release);
    free(said);
}

static void second(void) {
    atomic_char *said = calloc(1, 5000);
    (void)atomic_load_explicit(said + 3, memory_order_acquire);
    shared = 2;
    free(said);
}
