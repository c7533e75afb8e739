// In a forked child, the threads of the child race with each other.
// EXPECT: data race on `shared`
// REPORTS: 1
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int written, over, first_is_done;

static void *stays(void *unused) {
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&over, 1);
    return unused;
}

static void *of_the_child(void *unused) {
    shared = 4;
    invisible_signal(&first_is_done);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, stays, 0) == 0);
    invisible_wait(&written, 1);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        pthread_t other;
        CHECK(pthread_create(&other, 0, of_the_child, 0) == 0);
        invisible_wait(&first_is_done, 1);
        shared = 5;
        CHECK(pthread_join(other, 0) == 0);
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    invisible_signal(&over);
    CHECK(pthread_join(thread, 0) == 0);
    return WEXITSTATUS(status);
}
