// A thread comes to the halves of many words in turns, in several sync epochs and from a place for each. What it has done last to each half, and from where, is
// what another thread races with; and where it has read, what that writes.
// REPORTS: 8
// EXPECT: #0 reads_low_1 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 4 [^\n]*\n +#0 low_1
// EXPECT: #0 reads_high_1 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 8 [^\n]*\n +#0 word_1
// EXPECT: #0 reads_low_2 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 4 [^\n]*\n +#0 low_2
// EXPECT: #0 reads_high_2 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 4 [^\n]*\n +#0 high_2
// EXPECT: #0 reads_low_3 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 4 [^\n]*\n +#0 again_3
// EXPECT: #0 reads_high_3 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier write of size 4 [^\n]*\n +#0 high_3
// EXPECT: #0 writes_low_4 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier read of size 4 [^\n]*\n +#0 low_4
// EXPECT: #0 writes_high_4 [^\n]*\n([^E\n][^\n]*\n){0,6} *Earlier read of size 8 [^\n]*\n +#0 word_4
#include <stdint.h>

#include "unordered.h"

enum { WORDS = 24, LAST = WORDS - 1 };

typedef union {
    volatile uint64_t word;
    volatile uint32_t half[2];
} Word;
static Word words_1[WORDS], words_2[WORDS], words_3[WORDS], words_4[WORDS];
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

// Nobody else takes the lock, so that this orders nothing; what comes next is in another sync epoch.
static void epoch(void) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
}

#define DOES(name, what) \
    __attribute__((noinline)) static void name(Word *at) { what; }

DOES(word_1, at->word = 1)
DOES(low_1, at->half[0] = 2)
DOES(word_2, at->word = 1)
DOES(low_2, at->half[0] = 2)
DOES(high_2, at->half[1] = 3)
DOES(word_3, at->word = 1)
DOES(low_3, at->half[0] = 2)
DOES(high_3, at->half[1] = 3)
DOES(again_3, at->half[0] = 4)
DOES(word_4, (void)at->word)
DOES(low_4, (void)at->half[0])

DOES(reads_low_1, (void)at->half[0])
DOES(reads_high_1, (void)at->half[1])
DOES(reads_low_2, (void)at->half[0])
DOES(reads_high_2, (void)at->half[1])
DOES(reads_low_3, (void)at->half[0])
DOES(reads_high_3, (void)at->half[1])
DOES(writes_low_4, at->half[0] = 5)
DOES(writes_high_4, at->half[1] = 6)

static void in_all(void (*does)(Word *), Word *words) {
    for (int i = 0; i < WORDS; i++) does(words + i);
}

static void first(void) {
    in_all(word_1, words_1);
    in_all(word_2, words_2);
    in_all(word_3, words_3);
    in_all(word_4, words_4);
    epoch();
    in_all(low_1, words_1);
    in_all(low_2, words_2);
    in_all(high_2, words_2);
    in_all(low_3, words_3);
    in_all(low_4, words_4);
    epoch();
    in_all(high_3, words_3);
    epoch();
    in_all(again_3, words_3);
}

static void second(void) {
    reads_low_1(words_1 + LAST);
    reads_high_1(words_1 + LAST);
    reads_low_2(words_2 + LAST);
    reads_high_2(words_2 + LAST);
    reads_low_3(words_3 + LAST);
    reads_high_3(words_3 + LAST);
    writes_low_4(words_4 + LAST);
    writes_high_4(words_4 + LAST);
}
