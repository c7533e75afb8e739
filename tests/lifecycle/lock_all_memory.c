// A program that locks all its memory locks its own, and not the shadow, of which there is more than memory.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// REPORTS: 1
// EXPECT: data race on `shared`
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "invisible.h"

static volatile int shared;
static int done;
static char data[1 << 20];

static void *work(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

// kB that are locked.
static long locked(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[200];
    long result = -1;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmLck: %ld", &result) == 1) break;
    fclose(status);
    return result;
}

int main(void) {
    // Some machines give no such right: then there is nothing to see but the race.
    if (mlockall(MCL_CURRENT) == 0) {
        if (locked() < (long)sizeof data / 1024 || locked() > 1 << 20) return 3;
    } else if (errno != EPERM && errno != ENOMEM) {
        return 4;
    }
    errno = 0;
    if (mlockall(64) != -1 || errno != EINVAL) return 5;
    if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) && errno != EPERM && errno != ENOMEM) return 6;
    memset(data, 1, sizeof data);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return munlockall() ? 7 : 0;
}
