// A comparison of a size that the compiler knows is made by loads, without a call, and reads all of both all the same: another thread uses the last byte.
// LEVELS: O0 O1 O2 O3 Os
// RUN: GOLDILOCKS_OPTIONS=report_once=0 $OUT 2>$OUT.reports || true; echo "$(grep -c '^WARNING: Goldilocks: data race' $OUT.reports) of 104" >&2; exec $OUT
// EXPECT: 104 of 104
#include <pthread.h>
#include <string.h>

#include "invisible.h"

enum { LARGEST = 48 };
// Each size has objects of its own, one compared as the first argument, the other as the second, for both kinds of comparison.
static _Alignas(64) volatile char objects[4][LARGEST + 1][64];
static const char others[64];
static int has_written;
static volatile int sink;

// One function for each, so that each race has a place of its own. The result of the first kind says no more than whether there is a difference.
#define COMPARE(size)                                                                                    \
    __attribute__((noinline)) static void same_##size(const char *a, const char *b) {                    \
        sink = memcmp(a, b, size) == 0;                                                                  \
    }                                                                                                    \
    __attribute__((noinline)) static void less_##size(const char *a, const char *b) {                    \
        sink = memcmp(a, b, size) < 0;                                                                   \
    }
#define ALL(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(20) X(24) X(25) X(31) X(32) X(33) X(40) X(47) X(48)
ALL(COMPARE)

static void *writes(void *unused) {
    for (int kind = 0; kind < 4; kind++)
        for (int size = 1; size <= LARGEST; size++) objects[kind][size][size - 1] = 1;
    invisible_signal(&has_written);
    return unused;
}

#define CALL(size)                                          \
    same_##size((const char *)objects[0][size], others);    \
    same_##size(others, (const char *)objects[1][size]);    \
    less_##size((const char *)objects[2][size], others);    \
    less_##size(others, (const char *)objects[3][size]);

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    invisible_wait(&has_written, 1);
    ALL(CALL)
    return pthread_join(thread, 0);
}
