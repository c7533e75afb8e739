// The child of vfork synchronizes its own threads; it ends by _exit.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE -w
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void *worker(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

static void *idle(void *unused) {
    free(malloc(100));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, idle, 0);
    pthread_join(thread, 0);
    pid_t child = vfork();
    if (!child) {
        pthread_create(&thread, 0, worker, 0);
        pthread_join(thread, 0);
        shared = 2;
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
