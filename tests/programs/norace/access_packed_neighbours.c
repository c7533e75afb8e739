// Fields of a packed struct that share a word, each written by its own thread.
#include "unordered.h"

static struct {
    volatile char tag;
    volatile int value;
    volatile short rest;
} __attribute__((packed)) shared;

static void first(void) {
    shared.value = 1;
}

static void second(void) {
    shared.tag = 1;
    shared.rest = 1;
}
