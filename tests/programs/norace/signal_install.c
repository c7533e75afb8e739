// What comes before the installation of a handler comes before the handler.
// LEVELS: O1
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;

static void handler(int number) {
    (void)number;
    shared = 2;
}

__attribute__((constructor)) static void prepare(void) {
    signal(SIGUSR2, handler);
}

static void first(void) {
    shared = 1;
    signal(SIGUSR1, handler);
}

static void second(void) {
    raise(SIGUSR1);
}
