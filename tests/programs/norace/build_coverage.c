// A program that counts how often its lines run: the counters are not its own.
// FLAGS: --coverage
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
