// A function that synchronizes and has the name of one of libc's that does not: what comes before and after it is in two epochs.
// LEVELS: O0 O1 O2
// FLAGS: -fno-builtin
// EXPECT: data race on `told_and_untold`
// EXPECT: Earlier write .*\n +#0 first .*:22:
#include <pthread.h>

#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int told_and_untold;
double log(double);

static void passes_mutex(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void first(void) {
    told_and_untold = 1;
    log(1);
    told_and_untold = 2;
}

static void second(void) {
    passes_mutex();
    (void)*(volatile int *)&told_and_untold;
}

__asm__(".globl log\nlog: jmp passes\n");
__attribute__((used)) static void passes(void) __asm__("passes");
static void passes(void) { passes_mutex(); }
