// Who finds a program's process comes after who has started it.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#include "child_found.h"

extern char **environ;

static int make(void) {
    int child;
    char *arguments[] = {"true", 0};
    return posix_spawnp(&child, "true", 0, 0, arguments, environ) ? -1 : child;
}
