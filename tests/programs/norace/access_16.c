// 16-byte accesses, aligned, ordered by a join.
#include "ordered.h"

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
