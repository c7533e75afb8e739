// Every kind of mutex, used as it is meant to be: nested, by several threads, tried, handed over through a condition
// variable, and error-checking ones by their errors.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "check.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust, inheriting, protected;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void init(pthread_mutex_t *mutex, int is_robust, int protocol) {
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0);
    if (is_robust) CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    CHECK(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
    CHECK(pthread_mutex_init(mutex, &attributes) == 0);
    CHECK(pthread_mutexattr_destroy(&attributes) == 0);
}

static void use(pthread_mutex_t *mutex) {
    // A mutex with a priority ceiling may need a privilege.
    if (pthread_mutex_lock(mutex)) return;
    CHECK(pthread_mutex_unlock(mutex) == 0);
    if (pthread_mutex_trylock(mutex) == 0) CHECK(pthread_mutex_unlock(mutex) == 0);
    struct timespec soon = in_milliseconds(CLOCK_REALTIME, 10000);
    CHECK(pthread_mutex_timedlock(mutex, &soon) == 0);
    CHECK(pthread_mutex_unlock(mutex) == 0);
}

static void *work(void *number) {
    int mine = (int)(long)number;
    for (int round = 0; round < 100; round++) {
        use(&plain);
        use(&recursive);
        use(&checking);
        use(&adaptive);
        use(&robust);
        use(&inheriting);
        use(&protected);
        CHECK(pthread_mutex_lock(&recursive) == 0);
        CHECK(pthread_mutex_lock(&recursive) == 0);
        CHECK(pthread_mutex_unlock(&recursive) == 0);
        CHECK(pthread_mutex_unlock(&recursive) == 0);
        CHECK(pthread_mutex_lock(&checking) == 0);
        CHECK(pthread_mutex_lock(&checking) == EDEADLK);
        CHECK(pthread_mutex_unlock(&checking) == 0);
        CHECK(pthread_mutex_unlock(&checking) == EPERM);
        CHECK(pthread_mutex_lock(&plain) == 0);
        while (turn != mine) CHECK(pthread_cond_wait(&changed, &plain) == 0);
        turn = !mine;
        CHECK(pthread_cond_broadcast(&changed) == 0);
        CHECK(pthread_mutex_unlock(&plain) == 0);
    }
    return 0;
}

int main(void) {
    init(&robust, 1, PTHREAD_PRIO_NONE);
    init(&inheriting, 0, PTHREAD_PRIO_INHERIT);
    init(&protected, 0, PTHREAD_PRIO_PROTECT);
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    CHECK(pthread_mutex_destroy(&robust) == 0);
    CHECK(pthread_mutex_destroy(&inheriting) == 0);
    CHECK(pthread_mutex_destroy(&protected) == 0);
    return 0;
}
