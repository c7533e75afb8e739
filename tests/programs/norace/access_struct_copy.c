// A struct is copied as a whole, while another thread writes beside it.
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
    copy = shared[0];
    __asm__ volatile("" : : "r"(&copy) : "memory");
}
