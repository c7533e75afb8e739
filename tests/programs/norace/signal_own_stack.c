// Handlers that run on a stack of the thread's own choice, which is freed and taken by the next thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"

enum { BYTES = 64 << 10 };
static __thread char *lowest;

static void handler(int number) {
    volatile char marks[2000];
    for (int i = 0; i < 2000; i++) marks[i] = (char)(i + number);
    CHECK((char *)marks > lowest && (char *)marks < lowest + BYTES);
}

static void *thread(void *unused) {
    for (int round = 0; round < 5; round++) {
        stack_t stack = {.ss_sp = malloc(BYTES), .ss_size = BYTES};
        lowest = stack.ss_sp;
        CHECK(sigaltstack(&stack, 0) == 0);
        CHECK(raise(SIGUSR1) == 0);
        stack_t none = {.ss_flags = SS_DISABLE};
        CHECK(sigaltstack(&none, 0) == 0);
        free(stack.ss_sp);
    }
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, 0) == 0);
    for (int round = 0; round < 10; round++) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, thread, 0) == 0);
        for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    }
    return 0;
}
