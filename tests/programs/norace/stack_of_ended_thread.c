// Locals of threads are used by others as long as they live; stacks are used by one thread after the other; a stack that the
// program brought is its own again after the join.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct turn {
    sem_t ready, done;
    int *volatile published;
};

static struct turn turn;

static void *work(void *unused) {
    int locals[16];
    for (int i = 0; i < 16; i++) *(volatile int *)&locals[i] = i;
    turn.published = locals;
    sem_post(&turn.ready);
    sem_wait(&turn.done);
    CHECK(*(volatile int *)&locals[3] == 33);
    return unused;
}

static void run(pthread_attr_t *attributes) {
    pthread_t thread;
    CHECK(pthread_create(&thread, attributes, work, 0) == 0);
    sem_wait(&turn.ready);
    turn.published[3] = 33;
    sem_post(&turn.done);
    CHECK(pthread_join(thread, 0) == 0);
}

int main(void) {
    sem_init(&turn.ready, 0, 0);
    sem_init(&turn.done, 0, 0);
    for (int i = 0; i < 20; i++) run(0);
    enum { BYTES = 256 << 10 };
    char *memory = aligned_alloc(4096, BYTES);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstack(&attributes, memory, BYTES) == 0);
    for (int i = 0; i < 3; i++) {
        run(&attributes);
        memset(memory, i, BYTES);
        volatile char sum = 0;
        for (int at = 0; at < BYTES; at++) sum += memory[at];
        CHECK(turn.published[3] == (i | i << 8 | i << 16 | i << 24));
    }
    free(memory);
    return 0;
}
