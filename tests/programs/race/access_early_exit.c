// A search reads up to where it finds, and that far another thread has written.
// EXPECT: Read of size [0-9]+ at
// EXPECT: Earlier write of size 1 at
#include "unordered.h"

static char text[100] = "here is a needle, and some hay behind it";
static const char *volatile found;

static void first(void) {
    *(volatile char *)&text[3] = 'E';
}

static void second(void) {
    const char *at = text;
    while (*at != 'n') at++;
    found = at;
}
