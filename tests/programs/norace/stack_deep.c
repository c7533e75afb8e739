// Hundreds of frames, and no race.
// LEVELS: O0
#include "ordered.h"

int value;

__attribute__((noinline)) static int down(int depth) {
    if (depth == 0) {
        value++;
        return 0;
    }
    return down(depth - 1) + depth;
}
static volatile int sum;
static void first(void) {
    sum = down(500);
}
static void second(void) {
    down(700);
}
