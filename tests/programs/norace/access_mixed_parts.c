// Parts of 1, 2, 4 and 1 bytes of one word, and the words beside it, each with its own thread, in turns.
#include <pthread.h>

#include "invisible.h"

static struct {
    volatile long before;
    volatile char a;
    volatile short b;
    volatile int c;
    volatile char d;
    volatile long after;
} __attribute__((packed, aligned(8))) shared;
static int turn;

static void touch(int mine) {
    switch (mine) {
    case 0: shared.before++; break;
    case 1: shared.a++; break;
    case 2: shared.b++; break;
    case 3: shared.c++; break;
    case 4: shared.d++; break;
    default: shared.after++; break;
    }
}

static void *own_part(void *number) {
    int mine = (int)(long)number;
    for (int round = 0; round < 50; round++) {
        invisible_wait(&turn, round * 6 + mine);
        touch(mine);
        invisible_signal(&turn);
    }
    return 0;
}

int main(void) {
    pthread_t threads[6];
    for (long i = 0; i < 6; i++) pthread_create(&threads[i], 0, own_part, (void *)i);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], 0);
    return shared.a == 50 && shared.b == 50 && shared.c == 50 && shared.d == 50 ? 0 : 1;
}
