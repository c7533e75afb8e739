// 8-byte accesses, aligned: write after write, read after write, write after read.
// REPORTS: 3
// EXPECT: Write of size 8 at 0x[0-9a-f]+ by main thread
// EXPECT: Read of size 8 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 8 at
// EXPECT: Earlier read of size 8 at
#include "unordered.h"

static volatile long written_twice, then_read, read_first, sink;

static void first(void) {
    written_twice = 1;
    then_read = 1;
    sink = read_first;
}

static void second(void) {
    written_twice = 2;
    long seen = then_read;
    read_first = 2;
    (void)seen;
}
