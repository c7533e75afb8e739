// 16-byte accesses, aligned: write after write, read after write, write after read.
// REPORTS: 3
// EXPECT: Write of size 16 at 0x[0-9a-f]+ by main thread
// EXPECT: Read of size 16 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 16 at
// EXPECT: Earlier read of size 16 at
#include "unordered.h"

typedef long vector __attribute__((vector_size(16)));
static volatile vector written_twice, then_read, read_first, sink;

static void first(void) {
    written_twice = (vector){1, 1};
    then_read = (vector){1, 1};
    sink = read_first;
}

static void second(void) {
    written_twice = (vector){2, 2};
    vector seen = then_read;
    read_first = (vector){2, 2};
    (void)seen;
}
