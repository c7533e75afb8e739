// A race in memory that the program asked for below 4 GiB.
// LEVELS: O1
// REPORTS: 1
// EXPECT: Earlier write of size 4 at
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "invisible.h"

static volatile int *shared;
static int done;

static void *work(void *unused) {
    *shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (shared == MAP_FAILED) return 2;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    *shared = 2;
    pthread_join(thread, 0);
    return 0;
}
