// Two threads write the same byte of a file that is mapped.
// EXPECT: data race
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static char *mapped;

__attribute__((constructor)) static void map(void) {
    char name[] = "/tmp/goldilocks-mapped-XXXXXX";
    int file = mkstemp(name);
    CHECK(file >= 0 && ftruncate(file, 4096) == 0);
    unlink(name);
    mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(mapped != MAP_FAILED);
    close(file);
}
static void first(void) {
    mapped[100] = 1;
}
static void second(void) {
    mapped[100] = 2;
}
