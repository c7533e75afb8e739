// A comparison that counts its calls, of two threads that sort arrays of their own.
// EXPECT: data race on `calls`
#include <stdlib.h>

#include "unordered.h"

int calls;
static int one[20], two[20];

static int compare(const void *left, const void *right) {
    calls++;
    return *(const int *)left - *(const int *)right;
}
static void first(void) {
    for (int i = 0; i < 20; i++) one[i] = 20 - i;
    qsort(one, 20, sizeof one[0], compare);
}
static void second(void) {
    for (int i = 0; i < 20; i++) two[i] = 20 - i;
    qsort(two, 20, sizeof two[0], compare);
}
