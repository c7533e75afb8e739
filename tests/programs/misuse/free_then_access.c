// A block is used after it was freed, in order: by compiled code, by an atomic, by memcpy and by write(2).
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: heap use after free
// EXPECT: ^  Write of size 1 .*by main thread T0
// EXPECT: ^  Atomic write of size 4 .*by main thread T0
// EXPECT: ^  Read of size 16 .*by main thread T0
// EXPECT: ^  Read of size 10 .*by main thread T0
// EXPECT: ^  Earlier free of size .* by thread T1
// EXPECT: ^Goldilocks: 4 findings
// REJECT: data race
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordered.h"

static volatile char *block;
static char *volatile to;
static int null;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(200);
    to = malloc(16);
    null = open("/dev/null", O_WRONLY);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    block[40] = 1;
    atomic_fetch_add((atomic_int *)(block + 64), 1);
    memcpy(to, (void *)(block + 128), 16);
    write(null, (void *)(block + 152), 10);
}
