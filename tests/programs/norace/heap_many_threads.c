// Eight threads allocate, fill, grow and free blocks of all sizes, each its own.
// FLAGS: -fno-builtin
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *worker(void *argument) {
    unsigned long seed = (unsigned long)argument;
    char *blocks[32] = {0};
    unsigned sizes[32] = {0};
    for (int round = 0; round < 4000; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned at = seed >> 59;
        unsigned size = 1 + (seed >> 33) % (round % 97 ? 700 : 300000);
        if (blocks[at]) CHECK(blocks[at][sizes[at] - 1] == (char)at);
        if (seed & 64) {
            free(blocks[at]);
            blocks[at] = seed & 128 ? malloc(size) : calloc(size, 1);
        } else {
            blocks[at] = realloc(blocks[at], size);
        }
        memset(blocks[at], at, size);
        sizes[at] = size;
    }
    for (int at = 0; at < 32; at++) free(blocks[at]);
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++) pthread_create(&threads[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    return 0;
}
