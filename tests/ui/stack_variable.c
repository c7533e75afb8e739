// A variable on the stack of the main thread; the range of a memset.
// LEVELS: O1
#include <pthread.h>
#include <string.h>

#include "invisible.h"

static int done;

static void *work(void *there) {
    memset(there, 1, 100);
    invisible_signal(&done);
    invisible_wait(&done, 2);
    return 0;
}

int main(void) {
    char array[200] = {0};
    pthread_t thread;
    pthread_create(&thread, 0, work, array);
    invisible_wait(&done, 1);
    ((volatile char *)array)[50]++;
    invisible_signal(&done);
    pthread_join(thread, 0);
    return 0;
}
