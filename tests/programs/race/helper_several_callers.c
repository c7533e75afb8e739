// What a helper does to one variable, or to elements of an array, is one race, however many have called it.
// REPORTS: 2
// EXPECT: data race on `one`
#include "unordered.h"

static int one, many[4];

__attribute__((noinline)) static void add(int *variable) {
    ++*variable;
}

__attribute__((noinline)) static void once_more(void) {
    add(&one);
    __asm__ volatile("");
}

__attribute__((noinline)) static void all(void) {
    for (int i = 0; i < 4; i++) add(&many[i]);
    for (int i = 0; i < 4; i++) add(&many[3 - i]);
    add(&one);
    once_more();
}

static void first(void) {
    all();
}

static void second(void) {
    all();
}
