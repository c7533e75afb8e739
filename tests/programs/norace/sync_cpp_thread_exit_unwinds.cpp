// pthread_exit runs destructors, which belong to the thread.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

struct Guard {
    ~Guard() {
        shared = 1;
        invisible_signal(&done);
    }
};

static void *child(void *unused) {
    Guard guard;
    pthread_exit(&done);
    return unused;
}

int main() {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, child, nullptr);
    invisible_wait(&done, 1);
    pthread_join(thread, &result);
    CHECK(result == &done);
    shared = 2;
    return 0;
}
