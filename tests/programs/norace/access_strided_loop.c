// A strided loop reads its elements and not what lies between them, however the compiler makes it.
// LEVELS: O0 O2 O3
#include "unordered.h"

enum { PAIRS = 64 };
static struct {
    int read, written;
} pairs[PAIRS];
int sum;

static void first(void) {
    for (int i = 0; i < PAIRS; i++) pairs[i].written = i;
}

static void second(void) {
    int total = 0;
    for (int i = 0; i < PAIRS; i++) total += pairs[i].read;
    sum = total;
}
