// An object of operator new is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <new>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = (char *)operator new(40);
    other = (char *)operator new(40);
}

static void first(void) {
    other[39] = 1;
}

static void second(void) {
    operator delete((void *)block);
}
