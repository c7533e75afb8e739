// A copy of as many bytes as are checked word by word, from where they are in as many words as they can be.
#pragma once
#include <string.h>

#include "unordered.h"

enum { FIRST = 7, LENGTH = 56 };
static _Alignas(64) unsigned char bytes[64], others[64];
static unsigned char *volatile places[] = {others, others, bytes};
static unsigned char copy[LENGTH];

static void write_byte(int at) {
    *(volatile unsigned char *)&bytes[at] = 1;
}

static void second(void) {
    // The place in the code is known when it comes to these bytes.
    for (int i = 0; i < 3; i++) {
        memcpy(copy, places[i] + FIRST, LENGTH);
        __asm__ volatile("" : : "r"(copy) : "memory");
    }
}
