// As many bytes as are checked word by word are copied from where they are in as many words as they can be; another thread wrote those on both sides.
// LEVELS: O0 O1 O2 O3
#include <string.h>

#include "unordered.h"

enum { FIRST = 7, LENGTH = 56 };
static _Alignas(64) unsigned char bytes[64], others[64];
static unsigned char *volatile places[] = {others, others, bytes};
static unsigned char copy[LENGTH];

static void first(void) {
    *(volatile unsigned char *)&bytes[FIRST - 1] = 1;
    *(volatile unsigned char *)&bytes[FIRST + LENGTH] = 1;
}

static void second(void) {
    // The place in the code is known when it comes to these bytes.
    for (int i = 0; i < 3; i++) {
        memcpy(copy, places[i] + FIRST, LENGTH);
        __asm__ volatile("" : : "r"(copy) : "memory");
    }
}
