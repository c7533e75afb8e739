// Every function and variable in a section of its own, of which unused ones go.
// FLAGS: -ffunction-sections -fdata-sections -Wl,--gc-sections -fvisibility=hidden
// EXPECT: data race on `value`
#include "unordered.h"

int value;

static void first(void) {
    value = 1;
}
static void second(void) {
    value = 2;
}
