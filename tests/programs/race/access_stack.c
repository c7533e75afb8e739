// A variable on the stack of the main thread, which another one reaches through a pointer.
// REPORTS: 1
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 4 at
#include <pthread.h>

#include "invisible.h"

static int done;

static void *write_there(void *there) {
    *(volatile int *)there = 1;
    invisible_signal(&done);
    return 0;
}

int main(void) {
    volatile int here = 0;
    pthread_t thread;
    pthread_create(&thread, 0, write_there, (void *)&here);
    invisible_wait(&done, 1);
    here = 2;
    pthread_join(thread, 0);
    return 0;
}
