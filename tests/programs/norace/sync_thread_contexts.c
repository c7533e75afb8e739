// Contexts that one thread switches between are that thread.
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

#include "check.h"

enum { STACK = 256 * 1024, TURNS = 50 };

static volatile int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct pair {
    ucontext_t own, other;
    int local;
};
static _Thread_local struct pair *mine;

static void coroutine(void) {
    for (;;) {
        mine->local++;
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
        swapcontext(&mine->other, &mine->own);
    }
}

static void *work(void *unused) {
    struct pair pair = {.local = 0};
    char *stack = malloc(STACK);
    mine = &pair;
    CHECK(getcontext(&pair.other) == 0);
    pair.other.uc_stack.ss_sp = stack;
    pair.other.uc_stack.ss_size = STACK;
    pair.other.uc_link = &pair.own;
    makecontext(&pair.other, coroutine, 0);
    for (int i = 0; i < TURNS; i++) {
        pair.local++;
        CHECK(swapcontext(&pair.own, &pair.other) == 0);
    }
    CHECK(pair.local == 2 * TURNS);
    free(stack);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], 0, work, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return shared == 2 * TURNS ? 0 : 1;
}
