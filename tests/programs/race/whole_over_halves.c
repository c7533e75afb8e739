// The halves of words are written by two threads beside each other. A third one that knows what one of them has done writes all of each word: it races with the other half.
// REPORTS: 2
// EXPECT: 2 data races \(192 occurrences\)
// EXPECT: #0 first_half
// EXPECT: #0 second_half
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { WORDS = 96 };

static _Alignas(64) union {
    volatile int halves[2];
    volatile long whole;
} later_is_known[WORDS], earlier_is_known[WORDS];
static pthread_mutex_t known[2];
static int turn;

__attribute__((noinline)) static void first_half(void) {
    for (int i = 0; i < WORDS; i++) later_is_known[i].halves[0] = i;
    for (int i = 0; i < WORDS; i++) earlier_is_known[i].halves[0] = i;
}

__attribute__((noinline)) static void second_half(void) {
    for (int i = 0; i < WORDS; i++) later_is_known[i].halves[1] = i;
    for (int i = 0; i < WORDS; i++) earlier_is_known[i].halves[1] = i;
}

static void *tells(void *argument) {
    long me = (long)argument;
    invisible_wait(&turn, (int)me);
    if (me) second_half();
    else first_half();
    invisible_signal(&turn);
    invisible_wait(&turn, 2 + (int)me);
    pthread_mutex_lock(&known[me]);
    pthread_mutex_unlock(&known[me]);
    invisible_signal(&turn);
    return 0;
}

// A function, so that it is no range.
__attribute__((noinline)) static void clear(volatile long *word) { *word = 0; }

static void *writes(void *argument) {
    long which = (long)argument;
    invisible_wait(&turn, 4 + (int)which);
    pthread_mutex_lock(&known[!which]);
    pthread_mutex_unlock(&known[!which]);
    for (int i = 0; i < WORDS; i++) {
        if (which) clear(&earlier_is_known[i].whole);
        else clear(&later_is_known[i].whole);
    }
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 2; i++) pthread_mutex_init(&known[i], 0);
    for (long i = 0; i < 2; i++) CHECK(!pthread_create(&threads[i], 0, tells, (void *)i));
    for (long i = 0; i < 2; i++) CHECK(!pthread_create(&threads[2 + i], 0, writes, (void *)i));
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
