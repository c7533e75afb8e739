// A program that is instrumented for a profile, and races.
// FLAGS: -fprofile-instr-generate -fcoverage-mapping
// EXPECT: data race on `value`
#include "unordered.h"

int value;
static volatile int turns = 20;

static void work(void) {
    for (int i = 0; i < turns; i++)
        if (turns > 100) turns = i;
}
static void first(void) {
    work();
    value = 1;
}
static void second(void) {
    work();
    value = 2;
}
