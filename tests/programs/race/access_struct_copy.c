// A struct is copied as a whole; another thread wrote one field.
// EXPECT: Read of size [0-9]+ at
// EXPECT: Earlier write of size 4 at
#include "unordered.h"

static struct record {
    char name[100];
    int field;
    long rest[8];
} shared[2], copy;

static void first(void) {
    *(volatile int *)&shared[1].field = 1;
}

static void second(void) {
    copy = shared[1];
    __asm__ volatile("" : : "r"(&copy) : "memory");
}
