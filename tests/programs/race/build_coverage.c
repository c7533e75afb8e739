// A program that counts how often its lines run, and races.
// FLAGS: --coverage
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
