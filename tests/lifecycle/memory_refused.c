// The system refuses memory that the detector needs: it says so, and what can be done.
// LEVELS: O1
// RUN-EXIT: 70
// EXPECT: Goldilocks: fatal: the system refuses the detector [0-9]+ KiB of memory[^\n]*ulimit -v[^\n]*vm.max_map_count
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { LOCKS = 1 << 20 };
static pthread_mutex_t locks[LOCKS];

static void *work(void *unused) {
    for (int i = 0; i < LOCKS; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, work, 0) == 0);
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    CHECK(statm && fscanf(statm, "%lu", &pages) == 1);
    fclose(statm);
    struct rlimit limit = {pages * 4096 + (8 << 20), RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    for (int round = 0; round < 3; round++) work(0);
    pthread_join(thread, 0);
    return 0;
}
