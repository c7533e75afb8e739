// A loop that comes to what it counts in its last iteration only has read and written it.
// LEVELS: O0 O1 O2 O3
// EXPECT: (Read|Write) of size 8 at
// EXPECT: Earlier write of size 8 at
#include "unordered.h"

enum { LENGTH = 64 };
static char marks[LENGTH] = {[LENGTH - 1] = 1};
static long marked;

static void first(void) {
    marked = 1;
}

static void second(void) {
    for (int i = 0; i < LENGTH; i++)
        if (marks[i]) marked++;
}
