// A micro-benchmark: all threads do one kind of event at the same time, and the CPU time that they use for it is printed per
// event, as `event: 12.5 ns` on standard error. What comes before and after the events is not measured.
//
// The including file defines `events`, and may define `prepare`, which is called before the threads start.
#pragma once
#include "workload.h"
#include <stdatomic.h>
#include <time.h>

// Makes this many events as the thread of this number, and returns what depends on nothing else.
static unsigned long events(int me, long count);
#ifdef PREPARED
static void prepare(int threads);
#endif

// With ONE_MAKES_ALL, the first thread makes all events, and what other threads do for them is measured too.
#ifdef ONE_MAKES_ALL
enum { MAKERS = 1 };
#define MEASURED_CLOCK CLOCK_PROCESS_CPUTIME_ID
#else
enum { MAKERS = 1 << 20 };
#define MEASURED_CLOCK CLOCK_THREAD_CPUTIME_ID
#endif

// What makes all threads exist when the first one starts, and until the last one is done.
static pthread_barrier_t all_are_there, all_are_done;
static atomic_ulong nanoseconds;
static long events_of_each;
static unsigned long seeded;

// A pointer of which the compiler does not know where it points, so that what is done through it is done each time.
#define HIDDEN(pointer) ({ __typeof__((pointer) + 0) p_ = (pointer); __asm__ volatile("" : "+r"(p_) : : "memory"); p_; })

static unsigned long now(void) {
    struct timespec time;
    clock_gettime(MEASURED_CLOCK, &time);
    return (unsigned long)time.tv_sec * 1000000000ul + (unsigned long)time.tv_nsec;
}

static unsigned long measured(int me) {
    if (SEEDED) seeded += (unsigned long)me;
    pthread_barrier_wait(&all_are_there);
    unsigned long result = 0;
    if (me < MAKERS) {
        unsigned long start = now();
        result = events(me, events_of_each);
        atomic_fetch_add(&nanoseconds, now() - start);
    }
    pthread_barrier_wait(&all_are_done);
    return result;
}

int main(int count, char **arguments) {
    int threads = threads_argument(count, arguments);
    int makers = threads < MAKERS ? threads : MAKERS;
    events_of_each = size_argument(count, arguments) / makers;
    pthread_barrier_init(&all_are_there, 0, (unsigned)threads);
    pthread_barrier_init(&all_are_done, 0, (unsigned)threads);
#ifdef PREPARED
    prepare(threads);
#endif
    printf("%lu\n", in_threads(threads, measured));
    double all = (double)events_of_each * makers;
    fprintf(stderr, "event: %.3f ns\n", (double)atomic_load(&nanoseconds) / all);
}
