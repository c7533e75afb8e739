// Variables in a section of its own, one for each thread.
#include "unordered.h"

struct entry {
    int value, other;
};
__attribute__((section("entries"), used)) struct entry one, two;
extern struct entry __start_entries[], __stop_entries[];

static void first(void) {
    __start_entries[0].value = 1;
}
static void second(void) {
    __stop_entries[-1].value = 2;
}
