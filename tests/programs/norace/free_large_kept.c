// A large block that libc keeps is freed and allocated again, whole and in parts, by other threads.
// FLAGS: -fno-builtin
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "unordered.h"

enum { LARGE = 3 << 20 };

static void use(void) {
    for (int round = 0; round < 3; round++) {
        char *block = malloc(LARGE);
        memset(block, 1, LARGE);
        free(block);
        char *parts[30];
        for (int i = 0; i < 30; i++) memset(parts[i] = malloc(100000), 1, 100000);
        for (int i = 0; i < 30; i++) free(parts[i]);
    }
}

__attribute__((constructor)) static void prepare(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

static void first(void) {
    use();
}

static void second(void) {
    use();
}
