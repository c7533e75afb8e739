// Threads pack and unpack their own buffers byte by byte and copy them around: run lengths and a checksum.
// ARGS: 40
// QUICK: 8
// SMOKE: 1
// THREADS: 2
// SINGLE
#include "workload.h"
#include <string.h>

enum { SIZE = 1 << 20 };
static long rounds;
static unsigned char *seeded;

static size_t pack(const unsigned char *in, size_t size, unsigned char *out) {
    size_t at = 0;
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && run < 255 && in[i + run] == in[i]) run++;
        out[at++] = (unsigned char)run;
        out[at++] = in[i];
        i += run;
    }
    return at;
}

static size_t unpack(const unsigned char *in, size_t size, unsigned char *out) {
    size_t at = 0;
    for (size_t i = 0; i < size; i += 2) {
        memset(out + at, in[i + 1], in[i]);
        at += in[i];
    }
    return at;
}

static unsigned long work(int me) {
    unsigned char *plain = malloc(SIZE), *packed = malloc(2 * SIZE), *again = SEEDED ? seeded : malloc(SIZE);
    unsigned state = (unsigned)me + 1;
    for (int i = 0; i < SIZE; i++) {
        if (i % 5 == 0) next_number(&state);
        plain[i] = (unsigned char)(state >> 28);
    }
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) {
        size_t size = pack(plain, SIZE, packed);
        if (unpack(packed, size, again) != SIZE) abort();
        for (int i = 0; i < SIZE; i++) sum = sum * 31 + again[i];
        memcpy(plain, again, SIZE);
        plain[round] ^= 1;
    }
    free(plain);
    free(packed);
    if (!SEEDED) free(again);
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    if (SEEDED) seeded = malloc(SIZE);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
    free(seeded);
}
