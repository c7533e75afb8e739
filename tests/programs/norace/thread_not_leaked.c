// Threads that are joined, in every way, or detached, in every way, or run at exit; and a child of a fork, whose parent has some to
// join.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "check.h"
#include "gone.h"

static void *work(void *unused) {
    return unused;
}

static int work_c11(void *unused) {
    return unused != 0;
}

static void *detaches_itself(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}

static void *waits(void *unused) {
    for (;;) pause();
    return unused;
}

int main(void) {
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) CHECK(pthread_create(&threads[i], 0, i == 5 ? detaches_itself : work, 0) == 0);
    invisible_pause(20);
    pid_t child = fork();
    if (child == 0) return 0;
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(pthread_join(threads[0], 0) == 0);
    while (pthread_tryjoin_np(threads[1], 0) != 0) invisible_pause(1);
    struct timespec late = in_milliseconds(CLOCK_REALTIME, 10000);
    CHECK(pthread_timedjoin_np(threads[2], 0, &late) == 0);
    late = in_milliseconds(CLOCK_MONOTONIC, 10000);
    CHECK(pthread_clockjoin_np(threads[3], 0, CLOCK_MONOTONIC, &late) == 0);
    CHECK(pthread_detach(threads[4]) == 0);
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    CHECK(pthread_create(&threads[0], &detached, work, 0) == 0);
    thrd_t c11[2];
    for (int i = 0; i < 2; i++) CHECK(thrd_create(&c11[i], work_c11, 0) == thrd_success);
    CHECK(thrd_join(c11[0], 0) == thrd_success);
    CHECK(thrd_detach(c11[1]) == thrd_success);
    CHECK(pthread_create(&threads[0], 0, waits, 0) == 0);
    invisible_pause(20);
    return 0;
}
