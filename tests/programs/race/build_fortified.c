// Copies and texts by functions that know how much room there is.
// FLAGS: -D_FORTIFY_SOURCE=2
// LEVELS: O2
// EXPECT: data race on `texts
// REPORTS: 4
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unordered.h"

char texts[4][40], from[40];
static volatile unsigned long length = 8;

static void all(int shift) {
    memcpy(texts[0] + shift, from, length);
    memset(texts[1] + shift, 'x', length);
    snprintf(texts[2] + shift, length, "%07lu", length);
    strncpy(texts[3] + shift, from, length);
}
static void first(void) {
    all(0);
}
static void second(void) {
    all(4);
}
