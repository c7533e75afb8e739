// A program that looks at all of its address space also looks at shadow memory, whose own "shadow" is memory of the program's: that stays what it is,
// even if it looks like what the detector keeps there.
// LEVELS: O1
// REPORTS: 0
#include <pthread.h>
#include <stdint.h>

#include "check.h"

enum { VICTIMS = 64, ROUNDS = 8 };
static volatile uint64_t victims[VICTIMS];
static volatile uint64_t own[ROUNDS];

// As after a read of all eight bytes in one of the first epochs.
static uint64_t looks_like_a_cell(int i) {
    return (uint64_t)(i << 9 | 0xff) << 32;
}

// The word whose cell would be at `victim`, if it were the program's.
static volatile uint64_t *over(volatile uint64_t *victim) {
    return (volatile uint64_t *)(((uintptr_t)victim - 0x10440) ^ 1ull << 46);
}

static void *nothing(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    volatile uint64_t sum = 0;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    CHECK(pthread_create(&thread, 0, nothing, 0) == 0);
    for (int i = 0; i < VICTIMS; i++) victims[i] = looks_like_a_cell(i);
    for (int round = 0; round < ROUNDS; round++) {
        // One place of the program for all words: one of its own makes it known.
        for (int i = -1; i < VICTIMS; i++) sum += *(i < 0 ? &own[round] : over(&victims[i]));
        CHECK(pthread_mutex_lock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
    }
    for (int i = 0; i < VICTIMS; i++) CHECK(victims[i] == looks_like_a_cell(i));
    return pthread_join(thread, 0);
}
