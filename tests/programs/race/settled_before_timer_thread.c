// The thread that libc makes for a timer knows what was done before that was set, not what all threads of its time know.
// EXPECT: data race on `word.value`
// OPTIONS: settle_after=1
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "settled.h"

static int used, done;

static void expired(union sigval unused) {
    (void)unused;
    invisible_wait(&used, 1);
    seen = word.value;
    invisible_signal(&done);
}

static void *work(void *unused) {
    use_by_both();
    invisible_signal(&used);
    invisible_wait(&done, 1);
    return unused;
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    struct itimerspec when = {.it_value.tv_nsec = 100000000};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &when, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
