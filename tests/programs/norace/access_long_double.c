// A long double occupies 16 bytes; a store writes ten, and the other six are not touched.
#include "unordered.h"

static volatile long double number;

static void first(void) {
    number = 1;
}

static void second(void) {
    for (int i = 10; i < 16; i++) ((volatile char *)&number)[i] = 1;
}
