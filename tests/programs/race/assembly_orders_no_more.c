// Atomic instructions in assembly order what they order, and no more: what is written after a store that tells, and what a load without that store has seen.
// REPORTS: 2
// EXPECT: data race on `written_after`
// EXPECT: data race on `heard_of_nothing`
#include "unordered.h"

static int told, other, written_after, heard_of_nothing;

static int load(int *at) {
    int value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
    return value;
}

static void store(int *at, int value) {
    __asm__ volatile("movl %1, %0" : "=m"(*at) : "r"(value) : "memory");
}

static void first(void) {
    heard_of_nothing = 1;
    written_after = 1;
    store(&told, 1);
    written_after = 2;
    __asm__ volatile("lock; incl %0" : "+m"(other) : : "memory", "cc");
    // This is not told to anybody.
    heard_of_nothing = 2;
}

static void second(void) {
    (void)load(&told);
    (void)*(volatile int *)&written_after;
    __asm__ volatile("lock; incl %0" : "+m"(other) : : "memory", "cc");
    (void)*(volatile int *)&heard_of_nothing;
}
