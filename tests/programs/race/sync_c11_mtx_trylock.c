// mtx_trylock orders nothing when it fails.
#include <threads.h>

#include "check.h"
#include "unordered.h"

static mtx_t mutex;
static volatile int shared;

__attribute__((constructor)) static void prepare(void) {
    CHECK(mtx_init(&mutex, mtx_plain) == thrd_success);
}

static void first(void) {
    mtx_lock(&mutex);
    shared = 1;
}

static void second(void) {
    CHECK(mtx_trylock(&mutex) == thrd_busy);
    shared = 2;
}
