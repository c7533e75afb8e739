// Memory is read after another thread has unmapped it: told before the read faults.
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// RUN-EXIT: signal 11
#include <sys/mman.h>

#include "unordered.h"

static volatile char *memory;

__attribute__((constructor)) static void map(void) {
    memory = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[700000] = 1;
}

static void first(void) {
    munmap((void *)memory, 1 << 20);
}

static void second(void) {
    (void)memory[700001];
}
