// One thread adds to words of its own from two places by turns, each time in another sync epoch, with others of their cache line beside them. Who writes them plainly
// without knowing of that races with what was done last: with half of them here, and with half there.
// REPORTS: 2
// EXPECT: 2 data races \(256 occurrences\)
// EXPECT: clear / add_here +128 times
// EXPECT: clear / add_there +128 times
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "invisible.h"

enum { WORDS = 256, ROUNDS = 50 };

static _Alignas(64) atomic_long words[WORDS];
static int turn;

__attribute__((noinline)) static void add_here(atomic_long *word) { atomic_fetch_add_explicit(word, 1, memory_order_acq_rel); }
__attribute__((noinline)) static void add_there(atomic_long *word) { atomic_fetch_add_explicit(word, 2, memory_order_acq_rel); }
__attribute__((noinline)) static void clear(volatile long *word) { *word = 0; }

static void *add(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++) add_here(&words[i]);
        for (int i = 0; i < WORDS; i++) {
            if (round + 1 < ROUNDS || i % 2) add_there(&words[i]);
        }
    }
    invisible_signal(&turn);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(!pthread_create(&thread, 0, add, 0));
    invisible_wait(&turn, 1);
    for (int i = 0; i < WORDS; i++) clear((volatile long *)&words[i]);
    CHECK(!pthread_join(thread, 0));
}
