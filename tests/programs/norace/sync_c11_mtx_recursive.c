// Everything up to the outermost unlock of a recursive C11 mutex is ordered by it.
#include <threads.h>

#include "check.h"
#include "unordered.h"

static mtx_t mutex;
static volatile int shared;

__attribute__((constructor)) static void prepare(void) {
    CHECK(mtx_init(&mutex, mtx_plain | mtx_recursive) == thrd_success);
}

static void first(void) {
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    shared = 1;
    mtx_unlock(&mutex);
}

static void second(void) {
    mtx_lock(&mutex);
    mtx_trylock(&mutex);
    mtx_unlock(&mutex);
    shared = 2;
    mtx_unlock(&mutex);
}
