// Asking for asynchronous I/O comes before the call that tells of its end.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <aio.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int called, written;
static char text[] = "some text";
static struct aiocb block = {.aio_buf = text, .aio_nbytes = sizeof text};

static void call(union sigval value) {
    invisible_wait(&written, 1);
    CHECK(aio_return(value.sival_ptr) == sizeof text);
    text[0] = 'S';
    shared = 2;
    invisible_signal(&called);
}

int main(void) {
    char name[] = "/tmp/goldilocks_aio_XXXXXX";
    block.aio_fildes = mkstemp(name);
    CHECK(block.aio_fildes >= 0 && unlink(name) == 0);
    block.aio_sigevent.sigev_notify = SIGEV_THREAD;
    block.aio_sigevent.sigev_notify_function = call;
    block.aio_sigevent.sigev_value.sival_ptr = &block;
    shared = 1;
    CHECK(aio_write(&block) == 0);
    invisible_signal(&written);
    invisible_wait(&called, 1);
    return 0;
}
