// A search stops before what another thread has written: what it did not read is no access.
#include "unordered.h"

static char text[100] = "here is a needle, and some hay behind it";
static const char *volatile found;

static void first(void) {
    *(volatile char *)&text[30] = 'X';
}

static void second(void) {
    const char *at = text;
    while (*at != 'n') at++;
    found = at;
}
