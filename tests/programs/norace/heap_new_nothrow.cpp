// An array of nothrow new is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <new>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = new (std::nothrow) char[40];
    other = new (std::nothrow) char[40];
}

static void first(void) {
    other[39] = 1;
}

static void second(void) {
    delete[] block;
}
