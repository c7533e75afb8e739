// A loop that never comes to what it would count has not read it, and one that makes no iteration has read nothing.
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

enum { LENGTH = 64 };
static char marks[LENGTH];
static volatile long iterations;
static long marked, seen;
static unsigned char copied[64];

static void first(void) {
    marked = 1;
    seen = 1;
}

static void second(void) {
    for (int i = 0; i < LENGTH; i++)
        if (marks[i]) marked++;
    for (long i = 0, n = iterations; i < n; i++) {
        seen += n;
        __builtin_memmove(copied + 22, copied + 12, 35);
    }
}
