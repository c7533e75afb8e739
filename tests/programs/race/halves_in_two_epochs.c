// The halves of words are read, or written, by one thread in two of its epochs. One that knows of the first alone writes all of each word: it races with the second. Another one that knows of both
// writes three halves of two words beside each other: the fourth one still says who has written it.
// REPORTS: 3
// EXPECT: 3 data races \(288 occurrences\)
// EXPECT: #0 clear_read
// EXPECT: #0 clear_written
// EXPECT: #0 read_fourth
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "invisible.h"

enum { WORDS = 96 };

union word {
    volatile int halves[2];
    volatile long whole;
};
static _Alignas(64) union word seen[WORDS], written[WORDS];
static _Alignas(64) struct { int halves[4]; } pairs[WORDS];
static pthread_mutex_t first, both;
static int turn;

__attribute__((noinline)) static void use(int value) { __asm__ volatile("" : : "r"(value)); }
// Functions, so that none of it is a range.
__attribute__((noinline)) static void read_half(volatile int *half) { use(*half); }
__attribute__((noinline)) static void write_half(volatile int *half) { *half = 1; }
__attribute__((noinline)) static void clear_read(volatile long *word) { *word = 0; }
__attribute__((noinline)) static void clear_written(volatile long *word) { *word = 0; }
__attribute__((noinline)) static void clear_three(int *halves) { memset(halves, 0, 12); }
__attribute__((noinline)) static void read_fourth(volatile int *half) { use(*half + 1); }

static void tell(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}

static void *in_two_epochs(void *unused) {
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < WORDS; i++) {
            read_half(&seen[i].halves[half]);
            write_half(&written[i].halves[half]);
            write_half(&pairs[i].halves[half]);
            write_half(&pairs[i].halves[2 + half]);
        }
        tell(half ? &both : &first);
    }
    invisible_signal(&turn);
    return unused;
}

static void *knows_first(void *unused) {
    invisible_wait(&turn, 1);
    tell(&first);
    for (int i = 0; i < WORDS; i++) {
        clear_read(&seen[i].whole);
        clear_written(&written[i].whole);
    }
    invisible_signal(&turn);
    return unused;
}

static void *knows_both(void *unused) {
    invisible_wait(&turn, 2);
    tell(&both);
    for (int i = 0; i < WORDS; i++) clear_three(pairs[i].halves);
    invisible_signal(&turn);
    return unused;
}

static void *knows_nothing(void *unused) {
    invisible_wait(&turn, 3);
    for (int i = 0; i < WORDS; i++) read_fourth(&pairs[i].halves[3]);
    return unused;
}

int main(void) {
    void *(*const all[])(void *) = {in_two_epochs, knows_first, knows_both, knows_nothing};
    pthread_t threads[4];
    pthread_mutex_init(&first, 0);
    pthread_mutex_init(&both, 0);
    for (int i = 0; i < 4; i++) CHECK(!pthread_create(&threads[i], 0, all[i], 0));
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
