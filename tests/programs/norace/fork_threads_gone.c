// In a forked child, what other threads of the parent did is over: the child may write what they wrote, make a mutex that they
// used anew, and have threads of its own.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int shared, of_ended, of_child;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written, over;

static void *stays(void *unused) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
    invisible_signal(&written);
    invisible_wait(&over, 1);
    return unused;
}

static void *ends(void *unused) {
    of_ended = 1;
    invisible_signal(&written);
    return unused;
}

static void *of_the_child(void *unused) {
    pthread_mutex_lock(&mutex);
    shared = 4;
    of_ended = 4;
    of_child = 4;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t one, other;
    CHECK(pthread_create(&one, 0, stays, 0) == 0);
    CHECK(pthread_create(&other, 0, ends, 0) == 0);
    invisible_wait(&written, 2);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        shared = 2;
        of_ended = 2;
        of_child = 2;
        CHECK(pthread_mutex_init(&mutex, 0) == 0);
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], 0, of_the_child, 0) == 0);
        for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
        shared = 5;
        of_child = 5;
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    invisible_signal(&over);
    CHECK(pthread_join(one, 0) == 0);
    CHECK(pthread_join(other, 0) == 0);
    return 0;
}
