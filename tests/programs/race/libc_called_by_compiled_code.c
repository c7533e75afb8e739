// What compiled code calls of libc's functions that only read becomes hooks of the runtime, which read as far as the functions do: another thread writes the last byte that each reads.
// LEVELS: O0 O1 O2
// RUN: GOLDILOCKS_OPTIONS=report_once=0 $OUT 2>$OUT.reports || true; echo "$(grep -c '^WARNING: Goldilocks: data race' $OUT.reports) of 7" >&2; exec $OUT
// EXPECT: 7 of 7
#include <string.h>

#include "unordered.h"

enum { BYTES = 40 };
static char texts[7][64], others[2][64];
static volatile long sink;
static volatile size_t limit = BYTES;

__attribute__((constructor)) static void fill(void) {
    for (int text = 0; text < 7; text++) memset(texts[text], 'a', BYTES);
    for (int other = 0; other < 2; other++) memset(others[other], 'a', BYTES);
}

static void first(void) {
    for (int text = 0; text < 7; text++) *(volatile char *)&texts[text][BYTES - 1] = 'b';
    // Nobody reads what is behind.
    for (int text = 0; text < 7; text++) *(volatile char *)&texts[text][BYTES + 1] = 'c';
}

static void second(void) {
    sink = (long)strlen(texts[0]);
    sink = strcmp(texts[1], others[0]);
    sink = strcmp(others[1], texts[2]);
    sink = strncmp(texts[3], others[0], limit);
    sink = (long)memchr(texts[4], 'b', limit + 1);
    sink = memcmp(texts[5], others[0], limit);
    sink = memcmp(others[1], texts[6], limit) == 0;
}
