// Condition variables are destroyed as soon as their waiters are signaled, which POSIX allows, and get another mutex when
// nobody waits.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int waiting, go;
};

static void *waiter(void *argument) {
    struct meeting *meeting = argument;
    CHECK(pthread_mutex_lock(&meeting->lock) == 0);
    meeting->waiting++;
    CHECK(pthread_cond_broadcast(&meeting->changed) == 0);
    while (!meeting->go) CHECK(pthread_cond_wait(&meeting->changed, &meeting->lock) == 0);
    CHECK(pthread_mutex_unlock(&meeting->lock) == 0);
    return 0;
}

static void give_up(pthread_cond_t *condition, pthread_mutex_t *lock) {
    struct timespec now = in_milliseconds(CLOCK_REALTIME, 1);
    CHECK(pthread_mutex_lock(lock) == 0);
    CHECK(pthread_cond_timedwait(condition, lock, &now) == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(lock) == 0);
}

static void *cancelled(void *argument) {
    struct meeting *meeting = argument;
    CHECK(pthread_mutex_lock(&meeting->lock) == 0);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &meeting->lock);
    for (;;) pthread_cond_wait(&meeting->changed, &meeting->lock);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    for (int round = 0; round < 200; round++) {
        struct meeting *meeting = calloc(1, sizeof *meeting);
        CHECK(pthread_mutex_init(&meeting->lock, 0) == 0);
        CHECK(pthread_cond_init(&meeting->changed, 0) == 0);
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, waiter, meeting) == 0);
        CHECK(pthread_mutex_lock(&meeting->lock) == 0);
        while (meeting->waiting < 3) CHECK(pthread_cond_wait(&meeting->changed, &meeting->lock) == 0);
        meeting->go = 1;
        CHECK(pthread_cond_broadcast(&meeting->changed) == 0);
        CHECK(pthread_mutex_unlock(&meeting->lock) == 0);
        CHECK(pthread_cond_destroy(&meeting->changed) == 0);
        for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
        CHECK(pthread_mutex_destroy(&meeting->lock) == 0);
        free(meeting);
    }
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
    give_up(&condition, &lock_a);
    give_up(&condition, &lock_b);
    CHECK(pthread_cond_destroy(&condition) == 0);
    struct meeting meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, cancelled, &meeting) == 0);
    CHECK(pthread_cancel(thread) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    CHECK(pthread_cond_destroy(&meeting.changed) == 0);
    CHECK(pthread_mutex_destroy(&meeting.lock) == 0);
    return 0;
}
