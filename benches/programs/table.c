// Checksums by a table of 32-bit numbers: all threads look up in one table, whatever the bytes of a block of their own say.
// ARGS: 60
// QUICK: 10
// SMOKE: 1
// THREADS: 4 16
// SINGLE
#include "workload.h"
#include <stdint.h>

enum { SIZE = 1 << 18 };
static long rounds;
static uint32_t table[256];

static unsigned long work(int me) {
    if (SEEDED) table[7] = (uint32_t)me;
    unsigned state = (unsigned)me + 1;
    unsigned char *block = malloc(SIZE);
    for (long i = 0; i < SIZE; i++) block[i] = (unsigned char)next_number(&state);
    uint32_t sum = ~0u;
    for (long round = 0; round < rounds; round++)
        for (long i = 0; i < SIZE; i++) sum = table[(sum ^ block[i]) & 255] ^ sum >> 8;
    free(block);
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t entry = i;
        for (int bit = 0; bit < 8; bit++) entry = entry & 1 ? 0xedb88320u ^ entry >> 1 : entry >> 1;
        table[i] = entry;
    }
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
