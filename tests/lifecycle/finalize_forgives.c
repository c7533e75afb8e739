// The program has the last word on whether the run has failed.
// EXPECT: data race on `shared`
// EXPECT: the runtime is up
// EXPECT: reports: 1
// RUN-EXIT: 0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unordered.h"

int shared;
static int is_up;

// Before the C library is ready for more.
void __tsan_on_initialize(void) {
    is_up = 1;
}

int __tsan_on_finalize(int failed) {
    fprintf(stderr, "reports: %d\n", failed);
    return 0;
}

static void first(void) {
    shared = 1;
}

static void second(void) {
    if (is_up) fprintf(stderr, "the runtime is up\n");
    shared = 2;
}

__attribute__((destructor)) static void end(void) {
    fflush(stderr);
}
