// A race hundreds of frames deep.
// LEVELS: O0
// EXPECT: #5 down
#include "unordered.h"

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
