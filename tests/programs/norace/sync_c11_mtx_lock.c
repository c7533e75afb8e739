// A C11 mutex orders what is done under it.
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
    mtx_unlock(&mutex);
}

static void second(void) {
    mtx_lock(&mutex);
    shared = 2;
    mtx_unlock(&mutex);
}
