// An aligned object is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <new>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = (char *)operator new(300, std::align_val_t(128));
    other = (char *)operator new(300, std::align_val_t(128));
}

static void first(void) {
    other[299] = 1;
}

static void second(void) {
    operator delete((void *)block, std::align_val_t(128));
}
