// All of an array but its last byte is cleared, while another thread writes that.
#include "unordered.h"

static volatile char array[1001];

static void first(void) {
    array[1000] = 1;
}

static void second(void) {
    __builtin_memset((void *)array, 0, sizeof array - 1);
    __asm__ volatile("" : : "r"(array) : "memory");
}
