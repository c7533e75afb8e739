// One thread makes a child, by `make`, and another one finds that it has ended: what the first has done before that comes before it, and what it does later does not.
#pragma once
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int before, after;
static int is_made, is_found;

static int make(void);

static void *makes(void *unused) {
    before = 1;
    CHECK(make() > 0);
#ifdef RACE
    after = 1;
#endif
    invisible_signal(&is_made);
    invisible_wait(&is_found, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, makes, 0);
    while (waitpid(-1, 0, 0) < 0) usleep(100);
    invisible_wait(&is_made, 1);
    CHECK(before == 1);
    after = 2;
    invisible_signal(&is_found);
    return pthread_join(thread, 0);
}
