// What calls the function of a timer is no frame of its own.
// FLAGS: -O0
// LEVELS: O0
#include <signal.h>
#include <time.h>

#include "check.h"
#include "invisible.h"

static int counter, called, told;

static void set(int value) {
    counter = value;
}

static void expired(union sigval value) {
    set(value.sival_int);
    invisible_signal(&called);
    // It is still there when the race is told.
    invisible_wait(&told, 1);
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired, .sigev_value.sival_int = 1};
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &soon, 0) == 0);
    invisible_wait(&called, 1);
    counter++;
    invisible_signal(&told);
    return 0;
}
