// A loop over an array ends by an exception, just before an element that another thread has written.
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

enum { ROUNDS = 100, END = 50, WRITTEN = 50 };
static int array[ROUNDS];
static volatile int end = END;

static void first(void) {
    *(volatile int *)&array[WRITTEN] = 1;
}

__attribute__((noinline)) static void step(int number) {
    if (number == end) throw number;
}

__attribute__((noinline)) static void fill(void) {
    for (int i = 0; i < ROUNDS; i++) {
        step(i);
        array[i] = i;
    }
}

static void second(void) {
    try {
        fill();
    } catch (int) {
    }
}
