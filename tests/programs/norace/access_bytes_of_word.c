// Eight threads write and read a byte each of one word, in turns, many times.
#include <pthread.h>

#include "invisible.h"

static union {
    volatile unsigned char bytes[8];
    long word;
} shared;
static int turn;

static void *own_byte(void *number) {
    long mine = (long)number;
    for (int round = 0; round < 100; round++) {
        invisible_wait(&turn, round * 8 + (int)mine);
        shared.bytes[mine]++;
        invisible_signal(&turn);
    }
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++) pthread_create(&threads[i], 0, own_byte, (void *)i);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    return shared.word == 0x6464646464646464 ? 0 : 1;
}
