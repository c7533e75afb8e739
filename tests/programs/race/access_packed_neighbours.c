// Fields of a packed struct that share a word: the last byte of one is written as part of the other.
// REPORTS: 1
// EXPECT: Write of size 4 at
// EXPECT: Earlier write of size 1 at
#include "unordered.h"

static struct {
    volatile char tag;
    volatile int value;
    volatile short rest;
} __attribute__((packed)) shared;

static void first(void) {
    ((volatile char *)&shared.value)[3] = 1;
}

static void second(void) {
    shared.value = 1;
}
