// A variable on the stack of the main thread, which another one reaches through a pointer until it is joined.
#include <pthread.h>

static void *write_there(void *there) {
    *(volatile int *)there = 1;
    return 0;
}

int main(void) {
    volatile int here = 0;
    pthread_t thread;
    pthread_create(&thread, 0, write_there, (void *)&here);
    pthread_join(thread, 0);
    return here - 1;
}
