// Handlers of a fork hold a lock meanwhile, so that what it guards is whole in the child, which goes on with it and with threads of its own.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long one, two, forks;

static void before(void) {
    pthread_mutex_lock(&mutex);
    forks++;
}
static void after(void) { pthread_mutex_unlock(&mutex); }

static void *thread(void *unused) {
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&mutex);
        one++;
        two++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    CHECK(pthread_atfork(before, after, after) == 0);
    pthread_t other, own;
    CHECK(pthread_create(&other, 0, thread, 0) == 0);
    for (int round = 0; round < 3; round++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            CHECK(pthread_create(&own, 0, thread, 0) == 0);
            thread(0);
            CHECK(pthread_join(own, 0) == 0);
            CHECK(one == two && forks == round + 1);
            return 0;
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    CHECK(pthread_join(other, 0) == 0);
    CHECK(one == 500 && two == 500);
    return 0;
}
