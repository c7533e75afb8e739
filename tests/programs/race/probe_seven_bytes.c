// A byte is written; another thread reads the seven others of its word, and then that byte.
// RUNS: 20
// REPORTS: 1
// EXPECT: Read of size 1 at 0x[0-9a-f]*[08] by main thread
// EXPECT: Earlier write of size 1 at 0x[0-9a-f]*[08] by
#include "unordered.h"

static _Alignas(8) volatile char bytes[8];

static void first(void) {
    bytes[0] = 1;
}

static void second(void) {
    for (int i = 1; i < 8; i++) (void)bytes[i];
    (void)bytes[0];
}
