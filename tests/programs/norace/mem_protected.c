// A page that is read-only is read by all.
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
    sink = page[6];
}
