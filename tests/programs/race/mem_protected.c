// A page that may be written again after it was read-only has its past.
// EXPECT: data race
#include <sys/mman.h>

#include "check.h"
#include "unordered.h"

static _Alignas(4096) char page[4096];
static volatile char sink;

static void first(void) {
    page[5] = 1;
    CHECK(mprotect(page, sizeof page, PROT_READ) == 0);
}
static void second(void) {
    CHECK(mprotect(page, sizeof page, PROT_READ | PROT_WRITE) == 0);
    page[5] = 2;
}
