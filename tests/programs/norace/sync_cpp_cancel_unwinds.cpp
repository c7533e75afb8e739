// A thread that is cancelled in a wait runs its destructors with the mutex held.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int shared;
static int waiting;

struct Guard {
    Guard() { pthread_mutex_lock(&mutex); }
    ~Guard() {
        shared = 2;
        pthread_mutex_unlock(&mutex);
    }
};

static void *waiter(void *unused) {
    Guard guard;
    invisible_signal(&waiting);
    for (;;) pthread_cond_wait(&condition, &mutex);
    return unused;
}

int main() {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, waiter, nullptr);
    invisible_wait(&waiting, 1);
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    CHECK(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
