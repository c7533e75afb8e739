// A thread takes a lock again and again that nobody else wants, and uses some words under it, others beside it. Then another thread comes to the
// words: by way of the lock, or, with RACE, by way of what the first one has told in between.
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "invisible.h"

// A mutex of pthreads, or, with LIBRARY, one as Rust's standard library has it.
#ifdef LIBRARY
#include "lock_word.h"
static uint32_t lock;
#define TAKE() takes_mutex(&lock)
#define GIVE() gives_mutex(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE() pthread_mutex_lock(&lock)
#define GIVE() pthread_mutex_unlock(&lock)
#endif

enum { WORDS = 64, ROUNDS = 4000 };
static long under[WORDS], beside[WORDS], late;
static atomic_int told;
static int first_is_done;

static void round_of(long round) {
    TAKE();
    for (int i = 0; i < WORDS; i++) under[i] += round;
    GIVE();
    beside[round % WORDS] += round;
}

static void *first(void *unused) {
    for (long round = 0; round < ROUNDS; round++) round_of(round);
    // From here on the epoch that was left is somebody's to know.
    atomic_store_explicit(&told, 1, memory_order_release);
    TAKE();
    late = 1;
    GIVE();
    invisible_signal(&first_is_done);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, first, 0) == 0);
    invisible_wait(&first_is_done, 1);
    CHECK(atomic_load_explicit(&told, memory_order_acquire) == 1);
    long sum = 0;
    for (int i = 0; i < WORDS; i++) sum += under[i] + beside[i];
#ifdef RACE
    sum += late;
#else
    TAKE();
    sum += late;
    GIVE();
#endif
    CHECK(sum == (WORDS + 1) * (ROUNDS * (ROUNDS - 1L) / 2) + 1);
    pthread_join(thread, 0);
    return 0;
}
