// A C11 mutex does not order what is done after its unlock.
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
    mtx_unlock(&mutex);
    shared = 1;
}

static void second(void) {
    mtx_lock(&mutex);
    shared = 2;
    mtx_unlock(&mutex);
}
