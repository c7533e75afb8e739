// The process that daemon() leaves behind goes on detecting; here it has nothing to tell.
// FLAGS: -D_DEFAULT_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static volatile int shared;
static int ends[2];

static void *work(void *unused) {
    shared++;
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pipe(ends) == 0);
    CHECK(pthread_create(&thread, 0, work, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    CHECK(daemon(1, 1) == 0);
    shared++;
    CHECK(pthread_create(&thread, 0, work, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return shared == 3 ? 0 : 1;
}
