// In the child of a fork, what is done after the unlock of a recursive mutex is not ordered by it.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile int shared;
static int written;

static void *second(void *unused) {
    invisible_wait(&written, 1);
    pthread_mutex_lock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    // The parent is known as an owner, too.
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child != 0) {
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        return WEXITSTATUS(status);
    }
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared = 1;
    invisible_signal(&written);
    pthread_join(thread, 0);
    return 0;
}
