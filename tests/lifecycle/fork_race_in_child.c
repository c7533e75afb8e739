// The child of a fork runs on, with one thread, and finds the race among the threads that it starts itself.
// RUN-EXIT: 0
// REPORTS: 1
// EXPECT: WARNING: Goldilocks: data race
// EXPECT: #0 thread_of_child
// STDOUT: ^child ended with 66$
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *thread_of_child(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

static void *thread_of_parent(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, thread_of_parent, 0);
    pthread_join(thread, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_create(&thread, 0, thread_of_child, 0);
        invisible_wait(&done, 1);
        shared = 2;
        pthread_join(thread, 0);
        return 0;
    }
    int status;
    waitpid(child, &status, 0);
    printf("child ended with %d\n", WEXITSTATUS(status));
    return 0;
}
