// Asking for asynchronous I/O does not order what comes after it.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <aio.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static char text[] = "some text";
static struct aiocb block = {.aio_buf = text, .aio_nbytes = sizeof text};

__attribute__((constructor)) static void prepare(void) {
    char name[] = "/tmp/goldilocks_aio_XXXXXX";
    block.aio_fildes = mkstemp(name);
    CHECK(block.aio_fildes >= 0 && unlink(name) == 0);
}

static void first(void) {
    CHECK(aio_write(&block) == 0);
    shared = 1;
}

static void second(void) {
    const struct aiocb *blocks[] = {&block};
    while (aio_error(&block) == EINPROGRESS) aio_suspend(blocks, 1, 0);
    CHECK(aio_return(&block) == sizeof text);
    text[0] = 'S';
    shared = 2;
}
