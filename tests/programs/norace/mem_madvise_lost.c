// Pages that are given up: those of another thread that come after its writes, those that it has only read, freed blocks, and pages of a
// file, which keeps what they hold.
// FLAGS: -D_GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

enum { BYTES = 65536 };

static volatile char *written, *looked_at, *block, *of_file, *program;
static int ends[2];

__attribute__((constructor)) static void allocate(void) {
    CHECK(pipe(ends) == 0);
    written = mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    looked_at = mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = memfd_create("file", 0);
    CHECK(ftruncate(file, BYTES) == 0);
    of_file = mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    program = mmap(0, 4096, PROT_READ, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY), 0);
    CHECK(of_file != MAP_FAILED && program != MAP_FAILED);
}

static void first(void) {
    written[500] = 1;
    block = malloc(BYTES);
    for (int i = 0; i < BYTES; i++) block[i] = 1;
    CHECK(write(ends[1], "x", 1) == 1);
    CHECK(looked_at[500] == 0 && program[1] == 'E');
    block[BYTES / 2] = 2;
    free((void *)block);
    of_file[500] = 1;
}

static void second(void) {
    char got;
    CHECK(read(ends[0], &got, 1) == 1);
    CHECK(madvise((void *)written, BYTES, MADV_DONTNEED) == 0);
    CHECK(madvise((void *)looked_at, BYTES, MADV_DONTNEED) == 0);
    // Whole pages inside of the block.
    CHECK(madvise((void *)(((uintptr_t)block + 4095) & -4096), BYTES - 8192, MADV_DONTNEED) == 0);
    CHECK(madvise((void *)program, 4096, MADV_DONTNEED) == 0);
    CHECK(madvise((void *)of_file, BYTES, MADV_DONTNEED) == 0 && written[500] == 0);
}
