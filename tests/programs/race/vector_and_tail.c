// Two lines of which the compiler makes vectors and what is left over race once, on one array.
// LEVELS: O2 O3
// REPORTS: 1
// EXPECT: data race on `numbers
// EXPECT: 1 data race \([0-9]+ occurrences?\)
#include "unordered.h"

enum { NUMBERS = 10 };
int numbers[NUMBERS];
static volatile int sum;

__attribute__((noinline)) static void first(void) {
    for (int index = 0; index < NUMBERS; index++) numbers[index] = index;
}

__attribute__((noinline)) static void second(void) {
    int all = 0;
    for (int index = NUMBERS - 1; index >= 0; index--) all += numbers[index];
    sum = all;
}
