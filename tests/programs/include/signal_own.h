// Two threads use the same signal, each by itself: neither knows of what the other one has done before. KIND says how. Without RACE the second comes after the first by
// a semaphore.
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

enum { RAISE, KILL_SELF, CHILD, TIMER };
static volatile int shared;
static int first_is_done;
static sem_t order;
static __thread volatile sig_atomic_t handled;

static void handler(int number) {
    (void)number;
    handled = 1;
}

static void use_signal(void) {
    int child;
    timer_t timer;
    struct sigevent event;
    struct itimerspec when = {{0, 0}, {0, 1000000}};
    switch (KIND) {
    case RAISE: CHECK(!raise(SIGUSR1)); break;
    case KILL_SELF: CHECK(!pthread_kill(pthread_self(), SIGUSR1)); break;
    case CHILD:
        child = fork();
        CHECK(child >= 0);
        if (!child) {
            pause();
            _exit(0);
        }
        CHECK(!kill(child, SIGTERM) && waitpid(child, 0, 0) == child);
        return;
    case TIMER:
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGUSR1;
        event._sigev_un._tid = (int)syscall(SYS_gettid);
        CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &when, 0));
        break;
    }
    while (!handled) continue;
}

static void *first(void *unused) {
    shared = 1;
    use_signal();
#ifndef RACE
    sem_post(&order);
#endif
    invisible_signal(&first_is_done);
    return unused;
}

static void *second(void *unused) {
    invisible_wait(&first_is_done, 1);
#ifndef RACE
    sem_wait(&order);
#endif
    use_signal();
    shared = 2;
    return unused;
}

int main(void) {
    pthread_t one, other;
    sem_init(&order, 0, 0);
    signal(SIGUSR1, handler);
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    return pthread_join(one, 0) | pthread_join(other, 0);
}
