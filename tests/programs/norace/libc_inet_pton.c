// inet_pton writes the address, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <arpa/inet.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    inet_pton(AF_INET6, "::1", area + 16);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[32] = 1;
}
