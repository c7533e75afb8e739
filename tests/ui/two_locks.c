// One counter, two locks, named threads.
// LEVELS: O1
#define _GNU_SOURCE
#include <pthread.h>

#include "invisible.h"

struct counter {
    long misses;
    long hits;
};
static struct counter counter;
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static int done;

__attribute__((noinline)) static void bump(struct counter *c, pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    c->hits++;
    pthread_mutex_unlock(lock);
}

static void *work(void *unused) {
    pthread_setname_np(pthread_self(), "worker");
    bump(&counter, &lock_b);
    invisible_signal(&done);
    invisible_wait(&done, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    bump(&counter, &lock_a);
    invisible_signal(&done);
    pthread_join(thread, 0);
    return 0;
}
