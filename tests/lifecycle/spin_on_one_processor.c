// Two threads on one processor that wait for each other by looking at an atomic: who waits gives the processor away before its time slice
// is over. In slices, of some milliseconds each, the program would need several times what it allows itself.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { TURNS = 4000 };
#define LIMIT_SECONDS 4

static atomic_int turn;
static atomic_int value;

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void *play(void *me) {
    int own = me != 0;
    for (int round = 0; round < TURNS; round++) {
        // The odd thread looks in a way that tries to change something, and cannot.
        int expected = own;
        if (own)
            while (!atomic_compare_exchange_strong(&turn, &expected, own))
                expected = own;
        else
            while (atomic_load_explicit(&turn, memory_order_acquire) != own)
                ;
        atomic_fetch_add(&value, 1);
        atomic_store_explicit(&turn, !own, memory_order_release);
        if (round % 100 == 0 && processor_time() > LIMIT_SECONDS)
            return (void *)1;
    }
    return 0;
}

int main(void) {
    cpu_set_t mine, one;
    CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
    int first = 0;
    while (!CPU_ISSET(first, &mine))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    pthread_t threads[2];
    for (long me = 0; me < 2; me++)
        CHECK(pthread_create(&threads[me], 0, play, (void *)me) == 0);
    for (int me = 0; me < 2; me++) {
        void *late = 0;
        CHECK(pthread_join(threads[me], &late) == 0);
        if (late)
            _exit(1);
    }
    CHECK(value == 2 * TURNS);
    return 0;
}
