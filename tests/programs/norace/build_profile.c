// A program that is instrumented for a profile: the counters are not its own.
// FLAGS: -fprofile-instr-generate -fcoverage-mapping
#include "unordered.h"

int value;
static volatile int turns = 20;

static void work(void) {
    for (int i = 0; i < turns; i++)
        if (turns > 100) turns = i;
}
static void first(void) {
    work();
}
static void second(void) {
    work();
    value = 2;
}
