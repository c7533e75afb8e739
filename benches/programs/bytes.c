// Two threads pack and unpack their own buffers byte by byte and copy them around: run lengths and a checksum.
// ARGS: 60
// QUICK: 20
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20 };
static int rounds;

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

static void *work(void *number) {
    unsigned char *plain = malloc(SIZE), *packed = malloc(2 * SIZE), *again = malloc(SIZE);
    unsigned state = (unsigned)(long)number + 1;
    for (int i = 0; i < SIZE; i++) {
        if (i % 5 == 0) state = state * 1664525 + 1013904223;
        plain[i] = (unsigned char)(state >> 28);
    }
    unsigned long sum = 0;
    for (int round = 0; round < rounds; round++) {
        size_t size = pack(plain, SIZE, packed);
        if (unpack(packed, size, again) != SIZE) abort();
        for (int i = 0; i < SIZE; i++) sum = sum * 31 + again[i];
        memcpy(plain, again, SIZE);
        plain[round] ^= 1;
    }
    free(plain);
    free(packed);
    free(again);
    return (void *)sum;
}

int main(int count, char **arguments) {
    rounds = count > 1 ? atoi(arguments[1]) : 1;
    pthread_t threads[2];
    unsigned long sum = 0;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) {
        void *part;
        pthread_join(threads[i], &part);
        sum += (unsigned long)part;
    }
    printf("%lx\n", sum);
}
