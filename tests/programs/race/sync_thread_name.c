// A report has the names of the threads.
// REPORTS: 1
// EXPECT: T[0-9]+ `named-0`
// EXPECT: T[0-9]+ `named-1`
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int step;

static void *child(void *argument) {
    int number = *(int *)argument;
    char name[16];
    snprintf(name, sizeof name, "named-%d", number);
    CHECK(pthread_setname_np(pthread_self(), name) == 0);
    invisible_wait(&step, number);
    shared = 1;
    invisible_signal(&step);
    return 0;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, child, &numbers[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
