// Two threads have read the same words by short calls of libc, in no order, so that the words' cells say both. Then one of them tells what it has done, and reads the words once more by
// itself. Who has heard, and waited for the other one, writes them: each write races with that last read, whatever short circuits there are.
// LEVELS: O2
// RUN: for circuits in 01234 1234 234 0134 0234 0124 0123 12 0; do GOLDILOCKS_OPTIONS=short_circuits=$circuits:report_once=0 $OUT 2>$OUT.reports || true; echo "$circuits: $(grep -c 'Earlier read of size 8' $OUT.reports) of 64" >&2; done; exec $OUT
// EXPECT: 01234: 64 of 64\n1234: 64 of 64\n234: 64 of 64\n0134: 64 of 64\n0234: 64 of 64\n0124: 64 of 64\n0123: 64 of 64\n12: 64 of 64\n0: 64 of 64
// EXPECT: Earlier read of size 8 [^\n]*\n +#0 read_again
#include <pthread.h>
#include <string.h>

#include "invisible.h"

enum { WORDS = 64 };
static _Alignas(64) volatile long words[WORDS];
static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER, later = PTHREAD_MUTEX_INITIALIZER;
static int one_has_read, other_has_read, has_told, has_read_again;
static void *volatile found;

static void look_at_all(void) {
    // All bytes are 0, so that each call looks at 8.
    for (int word = 0; word < WORDS; word++) found = memchr((const void *)&words[word], 1, 8);
}

// Each by itself, and not all as a range.
__attribute__((noinline)) static void read_again(int word) {
    (void)words[word];
}

static void *one(void *unused) {
    look_at_all();
    invisible_signal(&one_has_read);
    invisible_wait(&other_has_read, 1);
    look_at_all();
    pthread_mutex_lock(&told);
    pthread_mutex_unlock(&told);
    invisible_signal(&has_told);
    for (int word = 0; word < WORDS; word++) read_again(word);
    pthread_mutex_lock(&later);
    pthread_mutex_unlock(&later);
    invisible_signal(&has_read_again);
    return unused;
}

static void *other(void *unused) {
    invisible_wait(&one_has_read, 1);
    look_at_all();
    invisible_signal(&other_has_read);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    invisible_wait(&has_told, 1);
    pthread_mutex_lock(&told);
    pthread_mutex_unlock(&told);
    pthread_join(threads[1], 0);
    invisible_wait(&has_read_again, 1);
    for (int word = 0; word < WORDS; word++) words[word] = 1;
    pthread_join(threads[0], 0);
}
