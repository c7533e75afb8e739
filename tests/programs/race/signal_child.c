// A child that ends by itself orders nothing.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static pid_t child;

__attribute__((constructor)) static void prepare(void) {
    child = fork();
    CHECK(child >= 0);
    if (!child) _exit(0);
}

static void first(void) {
    shared = 1;
    CHECK(kill(getpid(), 0) == 0);
}

static void second(void) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    shared = 2;
}
