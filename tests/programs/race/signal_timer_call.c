// The call of a timer is not ordered with what comes after the setting.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <signal.h>
#include <time.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int called, written;

static void call(union sigval value) {
    invisible_wait(&written, 1);
    *(volatile int *)value.sival_ptr += 1;
    invisible_signal(&called);
}

int main(void) {
    timer_t timer;
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = call, .sigev_value.sival_ptr = (void *)&shared};
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    CHECK(timer_settime(timer, 0, &soon, 0) == 0);
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&called, 1);
    CHECK(timer_delete(timer) == 0);
    return 0;
}
