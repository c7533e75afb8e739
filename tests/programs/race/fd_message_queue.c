// A message queue orders nothing that comes after sending.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static mqd_t queue;
static volatile int shared, told;
static int called, sent;

static void call(union sigval unused) {
    (void)unused;
    told = 2;
    invisible_signal(&called);
}

static void *work(void *unused) {
    told = 1;
    CHECK(mq_send(queue, "x", 1, 0) == 0);
    shared = 1;
    invisible_signal(&sent);
    return unused;
}

int main(void) {
    char name[64], got[16];
    snprintf(name, sizeof name, "/goldilocks%d", getpid());
    struct mq_attr about = {.mq_maxmsg = 4, .mq_msgsize = sizeof got};
    queue = mq_open(name, O_CREAT | O_RDWR, 0600, &about);
    CHECK(queue >= 0 && mq_unlink(name) == 0);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call};
    CHECK(mq_notify(queue, &event) == 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&called, 1);
    invisible_wait(&sent, 1);
    CHECK(mq_receive(queue, got, sizeof got, 0) == 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
