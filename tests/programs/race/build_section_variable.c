// A variable in a section of its own, found by the section's bounds.
// EXPECT: data race
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
    __start_entries[0].value = 2;
}
