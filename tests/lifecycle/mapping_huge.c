// Address space that is reserved and hardly used is given back at once, however much it is: nothing is done for each page.
// LEVELS: O1
// REPORTS: 0
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

#define BYTES (1L << 42)

static pthread_mutex_t *mutex;

static void *work(void *place) {
    pthread_mutex_lock(mutex);
    *(volatile long *)place += 1;
    pthread_mutex_unlock(mutex);
    return 0;
}

int main(void) {
    struct timespec start = in_milliseconds(CLOCK_MONOTONIC, 0);
    char *place = mmap(0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    // Where that much cannot be had there is nothing to test.
    if (place == MAP_FAILED) return 0;
    // A lock in the last page of it is forgotten with it, and one may be made there again.
    mutex = (pthread_mutex_t *)(place + BYTES - 4096);
    pthread_mutex_init(mutex, 0);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], 0, work, place + BYTES / 2) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    CHECK(*(long *)(place + BYTES / 2) == 2);
    CHECK(munmap(place, BYTES) == 0);
    struct timespec end = in_milliseconds(CLOCK_MONOTONIC, 0);
    CHECK(end.tv_sec - start.tv_sec < 20);
    return 0;
}
