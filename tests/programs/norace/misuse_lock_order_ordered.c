// Locks in different orders, by threads that something else than locks orders in every schedule: a barrier, semaphores, a condition
// variable that was waited for, an initializer. And under a semaphore that is a lock.
#include <pthread.h>
#include <semaphore.h>

#include "check.h"
#include "invisible.h"

struct pair {
    pthread_mutex_t a, b;
};
#define PAIR {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}

static struct pair by_barrier = PAIR, by_semaphore = PAIR, by_all = PAIR, by_turns = PAIR, by_condition = PAIR, by_once = PAIR,
                   by_gate = PAIR;
static pthread_barrier_t barrier;
static sem_t posted, all, there, back, gate;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_set, waits, left;

static void nest(pthread_mutex_t *first, pthread_mutex_t *second) {
    CHECK(pthread_mutex_lock(first) == 0);
    CHECK(pthread_mutex_lock(second) == 0);
    CHECK(pthread_mutex_unlock(second) == 0);
    CHECK(pthread_mutex_unlock(first) == 0);
}
static void forwards(struct pair *pair) { nest(&pair->a, &pair->b); }
static void backwards(struct pair *pair) { nest(&pair->b, &pair->a); }
static void initialize(void) { forwards(&by_once); }

static void *one(void *unused) {
    forwards(&by_barrier);
    pthread_barrier_wait(&barrier);

    forwards(&by_semaphore);
    CHECK(sem_post(&posted) == 0);

    forwards(&by_all);
    CHECK(sem_post(&all) == 0);

    for (int i = 0; i < 200; i++) {
        forwards(&by_turns);
        CHECK(sem_post(&there) == 0);
        CHECK(sem_wait(&back) == 0);
    }

    forwards(&by_condition);
    // The other one waits, and not only will.
    for (;;) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        if (waits) break;
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        invisible_pause(1);
    }
    is_set = 1;
    CHECK(pthread_cond_signal(&condition) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);

    CHECK(pthread_once(&once, initialize) == 0);
    CHECK(sem_wait(&gate) == 0);
    forwards(&by_gate);
    CHECK(sem_post(&gate) == 0);
    invisible_signal(&left);
    return unused;
}

static void *two(void *unused) {
    pthread_barrier_wait(&barrier);
    backwards(&by_barrier);

    CHECK(sem_wait(&posted) == 0);
    backwards(&by_semaphore);

    CHECK(sem_wait(&all) == 0);
    CHECK(sem_wait(&all) == 0);
    backwards(&by_all);

    for (int i = 0; i < 200; i++) {
        CHECK(sem_wait(&there) == 0);
        backwards(&by_turns);
        CHECK(sem_post(&back) == 0);
    }

    CHECK(pthread_mutex_lock(&mutex) == 0);
    while (!is_set) {
        waits = 1;
        CHECK(pthread_cond_wait(&condition, &mutex) == 0);
    }
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    backwards(&by_condition);

    CHECK(pthread_once(&once, initialize) == 0);
    backwards(&by_once);
    invisible_wait(&left, 1);
    CHECK(sem_wait(&gate) == 0);
    backwards(&by_gate);
    CHECK(sem_post(&gate) == 0);
    return unused;
}

static void *three(void *unused) {
    forwards(&by_all);
    CHECK(sem_post(&all) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*work[])(void *) = {one, two, three};
    CHECK(pthread_barrier_init(&barrier, 0, 2) == 0);
    CHECK(sem_init(&posted, 0, 0) == 0 && sem_init(&all, 0, 0) == 0);
    CHECK(sem_init(&there, 0, 0) == 0 && sem_init(&back, 0, 0) == 0 && sem_init(&gate, 0, 1) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, work[i], 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
