// Eight threads write a byte each of one word, in turns; the last thread also takes its neighbour's.
// REPORTS: 1
// EXPECT: Write of size 1 at 0x[0-9a-f]*[6e] by thread
// EXPECT: Earlier write of size 1 at
#include <pthread.h>

#include "invisible.h"

static _Alignas(8) volatile unsigned char bytes[8];
static int turn;

static void *own_byte(void *number) {
    long mine = (long)number;
    invisible_wait(&turn, (int)mine);
    bytes[mine] = 1;
    if (mine == 7) bytes[6] = 2;
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++) pthread_create(&threads[i], 0, own_byte, (void *)i);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    return 0;
}
