// Two threads count references; the one that drops the last one frees the block.
// FLAGS: -fno-builtin
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

struct counted {
    atomic_int references;
    int value;
};

static struct counted *shared;

__attribute__((constructor)) static void allocate(void) {
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    shared->value = 1;
}

static void drop(void) {
    if (shared->value && atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) free(shared);
}

static void first(void) {
    drop();
}

static void second(void) {
    drop();
}
