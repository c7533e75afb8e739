// The program looks at each report as a debugger would, and may lock, allocate and race meanwhile.
// EXPECT: kind data-race, 0 stacks, 2 accesses, 1 locations, 1 locks, 2 threads
// EXPECT: access 0 by T0: write of 4, not atomic, in main
// EXPECT: access 1 by T1: write of 1, not atomic, in first
// EXPECT: location heap of 24 bytes, allocated by T0 in make
// EXPECT: lock is the right one, created in make
// EXPECT: T1 `worker` of T0, known to the system, created in main
// EXPECT: kind mutex-bad-unlock, [1-9] stacks, 0 accesses, 1 locations, 1 locks, 1 threads
// EXPECT: location global of 40 bytes
// EXPECT: Goldilocks: 2 findings
// RUN-EXIT: 66
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "debugger.h"
#include "unordered.h"

#include <sanitizer/common_interface_defs.h>

static pthread_mutex_t lock, other = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;

static const char *function(void *pc) {
    static char name[200];
    __sanitizer_symbolize_pc(pc, "%f", name, sizeof name);
    return name;
}

void __tsan_on_report(void *report) {
    CHECK(report != 0 && __tsan_get_current_report() == report);
    pthread_mutex_lock(&mine);
    free(strdup("a copy"));
    const char *kind, *name;
    int count, stacks, accesses, locations, locks, threads, unique, thread, size, write, atomic, descriptor, hidden, running;
    int destroyed, parent;
    void *trace[16], *addr;
    uintptr_t start, bytes, number;
    unsigned long long os_thread;
    CHECK(__tsan_get_report_data(report, &kind, &count, &stacks, &accesses, &locations, &locks, &threads, &unique, trace, 16) == 1);
    CHECK(__tsan_get_report_mop(report, accesses, &thread, &addr, &size, &write, &atomic, trace, 16) == 0);
    fprintf(stderr, "kind %s, %d stacks, %d accesses, %d locations, %d locks, %d threads\n", kind, stacks, accesses, locations,
            locks, threads);
    for (int i = 0; i < stacks; i++) {
        CHECK(__tsan_get_report_stack(report, i, trace, 16) == 1);
        CHECK(trace[0] != 0);
    }
    for (int i = 0; i < accesses; i++) {
        CHECK(__tsan_get_report_mop(report, i, &thread, &addr, &size, &write, &atomic, trace, 16) == 1);
        CHECK(addr == block + 4 || addr == block + 5);
        // Inlined frames come first.
        void *outer = trace[0];
        const char *where = function(outer);
        if (!strcmp(where, "second")) where = "main";
        fprintf(stderr, "access %d by T%d: %s of %d, %s, in %s\n", i, thread, write ? "write" : "read", size,
                atomic ? "atomic" : "not atomic", where);
        CHECK(__tsan_get_report_unique_tid(report, i, &thread) == 1);
    }
    for (int i = 0; i < locations; i++) {
        CHECK(__tsan_get_report_loc(report, i, &kind, &addr, &start, &bytes, &thread, &descriptor, &hidden, trace, 16) == 1);
        fprintf(stderr, "location %s of %lu bytes", kind, (unsigned long)bytes);
        if (!strcmp(kind, "heap")) {
            CHECK(start == (uintptr_t)block);
            fprintf(stderr, ", allocated by T%d in %s", thread, function(trace[0]));
        } else {
            CHECK(start == (uintptr_t)&other);
        }
        fprintf(stderr, "\n");
    }
    for (int i = 0; i < locks && accesses; i++) {
        CHECK(__tsan_get_report_mutex(report, i, &number, &addr, &destroyed, trace, 16) == 1);
        CHECK(!destroyed);
        fprintf(stderr, "lock is %s, created in %s\n", addr == &lock ? "the right one" : "another", function(trace[0]));
    }
    for (int i = 0; i < threads; i++) {
        CHECK(__tsan_get_report_thread(report, i, &thread, &os_thread, &running, &name, &parent, trace, 16) == 1);
        if (thread)
            fprintf(stderr, "T%d `%s` of T%d, %s, created in %s\n", thread, name, parent,
                    os_thread ? "known to the system" : "unknown", function(trace[0]));
    }
    pthread_mutex_unlock(&mine);
}

__attribute__((constructor)) static void start(void) {
    CHECK(__tsan_get_current_report() == 0);
}

static __attribute__((noinline)) void first(void) {
    pthread_setname_np(pthread_self(), "worker");
    block[5] = 1;
}

static void second(void) {
    pthread_mutex_lock(&lock);
    *(int *)(block + 4) = 2;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&other);
}

// What comes before the thread.
__attribute__((constructor)) static void make(void) {
    pthread_mutex_init(&lock, 0);
    block = malloc(24);
}
