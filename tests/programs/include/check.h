// What must be so for the rest of a program to mean something; it dies by SIGILL or SIGTRAP if it is not.
#pragma once
#include <time.h>

#define CHECK(condition) ((condition) ? (void)0 : __builtin_trap())

// The time of a clock, so many milliseconds from now.
__attribute__((unused)) static struct timespec in_milliseconds(clockid_t clock, long milliseconds) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}
