// 4-byte accesses, aligned, ordered by a join.
#include "ordered.h"

static volatile int written_twice, then_read, read_first, sink;

static void first(void) {
    written_twice = 1;
    then_read = 1;
    sink = read_first;
}

static void second(void) {
    written_twice = 2;
    int seen = then_read;
    read_first = 2;
    (void)seen;
}
