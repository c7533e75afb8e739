// A loop over every other element whose count is wrong runs out of its memory at once, as it does without detection.
// LEVELS: O0 O2
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unordered.h"

enum { BYTES = 1 << 20 };
static volatile size_t count = SIZE_MAX;

static void first(void) {}

static void out(int signal) {
    (void)signal;
    _exit(0);
}

static void second(void) {
    char *memory = mmap(0, 2 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory, BYTES, PROT_READ | PROT_WRITE);
    struct sigaction action = {.sa_handler = out};
    sigaction(SIGSEGV, &action, 0);
    long *numbers = (long *)memory;
    size_t n = count;
    for (size_t i = 0; i < n; i++) numbers[2 * i] = 1;
    _exit(1);
}
