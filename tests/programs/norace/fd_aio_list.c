// A list of asynchronous requests: each comes before seeing its end.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <aio.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static char text[] = "some text", other[] = "some more";
static struct aiocb blocks[2] = {
    {.aio_buf = text, .aio_nbytes = sizeof text, .aio_lio_opcode = LIO_WRITE},
    {.aio_buf = other, .aio_nbytes = sizeof other, .aio_offset = 100, .aio_lio_opcode = LIO_WRITE},
};

__attribute__((constructor)) static void prepare(void) {
    char name[] = "/tmp/goldilocks_aio_XXXXXX";
    blocks[0].aio_fildes = blocks[1].aio_fildes = mkstemp(name);
    CHECK(blocks[0].aio_fildes >= 0 && unlink(name) == 0);
}

static void first(void) {
    struct aiocb *list[] = {&blocks[0], &blocks[1]};
    shared = 1;
    CHECK(lio_listio(LIO_NOWAIT, list, 2, 0) == 0);
}

static void second(void) {
    const struct aiocb *list[] = {&blocks[1]};
    while (aio_error(&blocks[1]) == EINPROGRESS) aio_suspend(list, 1, 0);
    other[0] = 'S';
    shared = 2;
}
