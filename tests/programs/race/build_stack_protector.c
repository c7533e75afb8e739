// A frame with a guard, whose array another thread writes.
// FLAGS: -fstack-protector-all
// EXPECT: data race
#include <pthread.h>

#include "invisible.h"

static int step;

static void *other(void *array) {
    ((volatile int *)array)[3] += 1;
    invisible_signal(&step);
    return 0;
}

int main(void) {
    volatile int array[8] = {0};
    pthread_t thread;
    pthread_create(&thread, 0, other, (void *)array);
    invisible_wait(&step, 1);
    array[3] = 5;
    pthread_join(thread, 0);
    return array[3] != 5;
}
