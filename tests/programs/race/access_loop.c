// A loop over a part of an array that another thread has written the end of.
// EXPECT: Read of size [0-9]+ at
// EXPECT: Earlier write of size 4 at
#include "unordered.h"

static int array[1000];
static volatile int limit = 1000, sink;

static void first(void) {
    *(volatile int *)&array[999] = 1;
}

static void second(void) {
    int sum = 0;
    for (int i = 0, end = limit; i < end; i++) sum += array[i];
    sink = sum;
}
