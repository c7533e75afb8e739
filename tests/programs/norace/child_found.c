// Who finds a child comes after who has made it.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#include "child_found.h"

static int make(void) {
    int child = fork();
    if (!child) _exit(0);
    return child;
}
