// Threads map memory at ever new places, use it, and unmap it or drop its pages: what the detector remembers of it takes no memory for good.
// LEVELS: O1
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

enum { ROUNDS = 400, BYTES = 1 << 20, MOST_KB = 256 << 10 };

static void *use(void *argument) {
    const uintptr_t drops = (uintptr_t)argument;
    char *place = (char *)(0x10000000000 + (drops << 38));
    for (int i = 0; i < ROUNDS; i++, place += BYTES) {
        char *memory = mmap(place, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(memory == place);
        for (int at = 0; at < BYTES; at += 64) memory[at] = 1;
        CHECK((drops ? madvise(memory, BYTES, MADV_DONTNEED) : munmap(memory, BYTES)) == 0);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], 0, use, (void *)i) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status);
    long most = 0;
    while (fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &most);
    fclose(status);
    CHECK(most > 0 && most < MOST_KB);
    return 0;
}
