// Destructors of thread-specific data belong to the thread: the join comes after them, in every round.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static pthread_key_t key, later;
static volatile int rounds;

static void destroy(void *value) {
    // Comes back twice.
    if (++rounds < 3) {
        pthread_setspecific(key, value);
        return;
    }
    shared = 1;
    invisible_signal(&done);
}

__attribute__((constructor)) static void prepare(void) {
    pthread_key_create(&key, destroy);
    pthread_key_create(&later, 0);
}

static void *child(void *unused) {
    pthread_setspecific(key, &done);
    pthread_setspecific(later, &done);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, child, 0);
    invisible_wait(&done, 1);
    pthread_join(thread, &result);
    CHECK(result == 0);
    shared = 2;
    return 0;
}
