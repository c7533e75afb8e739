// A loop over every third element reads the last one that another thread has written; what lies between is the other thread's alone.
// EXPECT: Read of size 8 at
// EXPECT: Earlier write of size 8 at
// EXPECT: offset 7176 of global .array. of size 7200
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

enum { COUNT = 300 };
static volatile int count = COUNT;
static long array[3 * COUNT];
static volatile long sink;

static void first(void) {
    *(volatile long *)&array[3 * COUNT - 3] = 1;
    *(volatile long *)&array[3 * COUNT - 2] = 1;
    *(volatile long *)&array[1] = 1;
}

static void second(void) {
    int n = count;
    long sum = 0;
    for (int i = 0; i < n; i++) sum += array[3 * i];
    sink = sum;
}
