// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a mutex on `lock`
#include <threads.h>

#include "check.h"

static mtx_t lock;

int main(void) {
    CHECK(mtx_init(&lock, mtx_plain) == thrd_success);
    CHECK(mtx_lock(&lock) == thrd_success);
    mtx_lock(&lock);
    return 0;
}
