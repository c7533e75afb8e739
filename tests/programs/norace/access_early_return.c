// A search in an array of known length returns at what it has found, and has not read what lies behind it, however the loop is compiled.
// LEVELS: O0 O1 O2 O3
#include "check.h"
#include "unordered.h"

enum { LENGTH = 1024 };
static int numbers[LENGTH];
static volatile int wanted = 7;

__attribute__((constructor)) static void fill(void) { numbers[5] = 7; }

__attribute__((noinline)) static int position(int number) {
    for (int i = 0; i < LENGTH; i++)
        if (numbers[i] == number) return i;
    return -1;
}

static void first(void) { CHECK(position(wanted) == 5); }

static void second(void) {
    numbers[6] = 7;
    numbers[7] = 3;
}
