// Memory of frames of two threads.
#include <alloca.h>
#include <pthread.h>

#include "invisible.h"

static int steps[2];
static char *volatile shown;

static void work(volatile char *memory, int bytes) {
    for (int i = 0; i < bytes; i++) memory[i] = (char)i;
}

__attribute__((noinline)) static void with_frame(int bytes, int show) {
    char *memory = alloca(bytes);
    if (show) shown = memory;
    work(memory, bytes);
    if (show) invisible_signal(&steps[0]), invisible_wait(&steps[1], 1);
}

static void *other(void *unused) {
    with_frame(300, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    invisible_wait(&steps[0], 1);
    for (int i = 1; i < 300; i++) with_frame(i, 0);
    invisible_signal(&steps[1]);
    pthread_join(thread, 0);
    return 0;
}
