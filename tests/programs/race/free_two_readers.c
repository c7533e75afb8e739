// Two threads read a block that a third one frees: both races are reported, and the block's next owner has none.
// FLAGS: -fno-builtin
// EXPECT: Earlier read of size 4 .*thread T1
// EXPECT: Earlier read of size 4 .*thread T2
// REPORTS: 2
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

static int *block, done;
static volatile int seen[3];

static void *one(void *unused) {
    seen[0] = block[3];
    invisible_signal(&done);
    return unused;
}

static void *other(void *unused) {
    seen[1] = block[3];
    invisible_signal(&done);
    return unused;
}

int main(void) {
    block = malloc(64);
    block[3] = 1;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    invisible_wait(&done, 2);
    free(block);
    int *next = malloc(64);
    next[3] = 2;
    seen[2] = next[3];
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    free(next);
    return 0;
}
