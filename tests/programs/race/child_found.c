// Who finds a child comes after what its maker did before, not after what that has done since.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// REPORTS: 1
// EXPECT: data race on `after`
#define RACE
#include "child_found.h"

static int make(void) {
    int child = fork();
    if (!child) _exit(0);
    return child;
}
