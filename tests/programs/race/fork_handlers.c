// A handler of a fork runs in the thread that forks, which nothing orders with another.
// REPORTS: 1
// EXPECT: data race on `forks`
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unordered.h"

static int forks;

static void before(void) { forks++; }

static void first(void) { forks = 0; }

static void second(void) {
    pthread_atfork(before, 0, 0);
    pid_t child = fork();
    if (child == 0) _exit(0);
    int status;
    waitpid(child, &status, 0);
}
