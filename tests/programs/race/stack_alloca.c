// Memory of a frame, as much as is asked for, that another thread writes.
// EXPECT: data race
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
    // Not by a load that the other thread's store would race with.
    char *memory;
    __asm__ volatile("mov %1, %0" : "=r"(memory) : "m"(shown));
    work(memory + 290, 5);
    invisible_signal(&steps[1]);
    pthread_join(thread, 0);
    return 0;
}
