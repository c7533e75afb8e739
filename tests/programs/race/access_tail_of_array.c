// An array is cleared as a whole; another thread wrote its last byte.
// EXPECT: Write of size [0-9]+ at
// EXPECT: Earlier write of size 1 at
#include "unordered.h"

static volatile char array[1001];

static void first(void) {
    array[1000] = 1;
}

static void second(void) {
    __builtin_memset((void *)array, 0, sizeof array);
    __asm__ volatile("" : : "r"(array) : "memory");
}
