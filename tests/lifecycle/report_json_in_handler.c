// The line of JSON says which of the accesses was made in a signal handler.
// OPTIONS: report_format=json
// EXPECT: "previous":\{.*"in_handler":true.*"place":
// RUN-EXIT: 66
#include <signal.h>

#include "unordered.h"

int flag;

static void handler(int number) {
    flag = number;
}

static void first(void) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
}

static __attribute__((noinline)) void second(void) {
    flag = 0;
}
