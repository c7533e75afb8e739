// Threads that may be canceled wherever they are, are canceled in the middle of what is looked at, and leave nothing locked there: who
// does the same as they, goes on.
// REPORTS: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 150, WORDS = 32 };
static atomic_long counters[WORDS];
static volatile long words[WORDS];
static volatile long own;
static atomic_int begun, over;

static void work(long i) {
    atomic_fetch_add(&counters[i % WORDS], 1);
    (void)words[i * 7 % WORDS];
    (void)atomic_load(&counters[i * 5 % WORDS]);
}

static void *canceled(void *unused) {
    int before;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0 && before == PTHREAD_CANCEL_DEFERRED);
    atomic_store(&begun, 1);
    for (long i = 0;; i++) work(i);
    return unused;
}

static void *goes_on(void *unused) {
    for (long i = 0; !atomic_load(&over); i++) work(i);
    return unused;
}

static void *holds_on(void *unused) {
    int before;
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0) == 0);
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0) == 0);
    CHECK(pthread_cancel(pthread_self()) == 0);
    own = 1;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before) == 0 && before == PTHREAD_CANCEL_ASYNCHRONOUS);
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0) == 0);
    own = 2;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0) == 0);
    exit(3); // Not reached.
    return unused;
}

int main(void) {
    // It takes much less than a second. Who waits for a lock that nobody gives back is ended by the signal.
    alarm(30);
    void *result;
    pthread_t other, thread;
    CHECK(pthread_create(&other, 0, goes_on, 0) == 0);
    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&begun, 0);
        CHECK(pthread_create(&thread, 0, canceled, 0) == 0);
        while (!atomic_load(&begun)) {
        }
        struct timespec a_while = {0, 20000 + round % 7 * 30000};
        nanosleep(&a_while, 0);
        CHECK(pthread_cancel(thread) == 0);
        CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
        for (int i = 0; i < 100; i++) work(i);
    }
    atomic_store(&over, 1);
    CHECK(pthread_join(other, 0) == 0);
    CHECK(pthread_create(&thread, 0, holds_on, 0) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    CHECK(own == 2);
    return 0;
}
