// An array whose length is known when the program runs.
// EXPECT: data race
#include <pthread.h>

#include "invisible.h"

static int steps[2];

static void *other(void *array) {
    ((volatile int *)array)[9] = 1;
    invisible_signal(&steps[0]);
    return 0;
}

__attribute__((noinline)) static int with(int length) {
    volatile int array[length];
    for (int i = 0; i < length; i++) array[i] = i;
    pthread_t thread;
    pthread_create(&thread, 0, other, (void *)array);
    invisible_wait(&steps[0], 1);
    array[9] = 7;
    pthread_join(thread, 0);
    return array[length - 1];
}

int main(void) {
    int sum = 0;
    sum += with(20);
    return sum < 0;
}
