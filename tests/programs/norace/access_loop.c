// A loop over an array that ends before what another thread has written.
#include "unordered.h"

static int array[1000];
static volatile int limit = 1000, sink;

static void first(void) {
    *(volatile int *)&array[999] = 1;
}

static void second(void) {
    limit = 999;
    int sum = 0;
    for (int i = 0, end = limit; i < end; i++) sum += array[i];
    sink = sum;
}
