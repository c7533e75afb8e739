// An object that is deleted with its size is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <new>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = (char *)operator new(40);
    other = (char *)operator new(40);
}

static void first(void) {
    block[39] = 1;
}

static void second(void) {
    operator delete((void *)block, 40ul);
}
