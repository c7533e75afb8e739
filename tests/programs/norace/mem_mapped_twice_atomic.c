// An atomic variable at two addresses is one.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static atomic_int *one, *other;
static volatile int shared;

__attribute__((constructor)) static void prepare(void) {
    int file = memfd_create("page", 0);
    CHECK(file >= 0 && ftruncate(file, 4096) == 0);
    one = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(one != MAP_FAILED && other != MAP_FAILED);
}

static void first(void) {
    shared = 1;
    atomic_store_explicit(other, 1, memory_order_release);
}

static void second(void) {
    CHECK(atomic_load_explicit(one, memory_order_acquire) == 1);
    shared = 2;
}
