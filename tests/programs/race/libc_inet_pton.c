// inet_pton writes the address: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <arpa/inet.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    inet_pton(AF_INET6, "::1", area + 16);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[31] = 1;
}
