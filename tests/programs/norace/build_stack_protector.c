// A frame with a guard, whose array another thread reads when it is written.
// FLAGS: -fstack-protector-all
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
    pthread_join(thread, 0);
    array[3] = 5;
    return array[3] != 5;
}
