// A jump out of a handler of a signal: what the thread does after it is in no handler any more.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"

static sigjmp_buf back;
static volatile int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void *work(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(signal(SIGUSR1, handler) != SIG_ERR);
    CHECK(pthread_create(&thread, 0, work, 0) == 0);
    for (volatile int i = 0; i < 100; i++) {
        if (sigsetjmp(back, 1) == 0) {
            raise(SIGUSR1);
            CHECK(0);
        }
        // Not allowed in a handler.
        free(malloc(10));
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    CHECK(pthread_join(thread, 0) == 0);
    return shared == 200 ? 0 : 1;
}
