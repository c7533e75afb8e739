// A loop that keeps a variable in a register reads it before and writes it behind; the compiler gives the read no line. The report has
// the line of the source all the same, for both threads.
// LEVELS: O0 O1 O2 O3
// EXPECT: (Read|Write) of size 4 [^\n]*\n +#0 count [^\n]*position_promoted\.c:15:
// EXPECT: Earlier (read|write) of size 4 [^\n]*\n +#0 count [^\n]*position_promoted\.c:15:
// REJECT: #0 count [^\n:]*\n
#include "unordered.h"

static volatile long times = 1000;
int hits;

__attribute__((noinline)) static void count(long n) {
    // One line of the source, before and behind the loop.
    for (long i = 0; i < n; i++)
        hits++;
}

static void first(void) { count(times); }
static void second(void) { count(times); }
