// getcwd writes the path, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>
#include <string.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    if (chdir("/usr")) return;
    getcwd(area + 16, 40);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
