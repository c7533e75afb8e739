// The same functions, one thread after the other.
#include "ordered.h"
#include <string.h>
#include <time.h>

static void work(void) {
    time_t now = 1000;
    struct tm *parts = localtime(&now);
    if (!parts || parts->tm_year != 70) __builtin_trap();
}
static void first(void) {
    work();
}
static void second(void) {
    work();
}
