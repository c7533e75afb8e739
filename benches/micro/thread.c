// A thread that is created and joined, while the other threads sleep.
// ARGS: 1200
// QUICK: 200
// SMOKE: 8
// THREADS: 2 16 128 512
// SYNC
#define ONE_MAKES_ALL
#include "micro.h"

static unsigned long words[2];

static void *store(void *argument) {
    words[0] = (unsigned long)argument;
    return 0;
}

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, store, (void *)i);
        pthread_join(thread, 0);
    }
    return words[0] + (unsigned long)me;
}
