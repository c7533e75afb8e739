// memcpy of 256 bytes within a buffer of the thread's own.
// ARGS: 2000000
// QUICK: 333333
// SMOKE: 100
// THREADS: 2 1
#include "micro.h"
#include <string.h>

static char buffers[2][1024];

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) memcpy(HIDDEN(buffers[me]), HIDDEN(buffers[me] + 512), 256);
    return (unsigned long)buffers[me][0];
}
