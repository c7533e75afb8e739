// Loops and sums of which the compiler makes vector loads that would read more than the program does: what is between, and under a condition that does not hold, is another
// thread's, which writes it meanwhile.
// LEVELS: O2 O3
// FLAGS: -mavx2 -mfma
#include "unordered.h"

enum { ITEMS = 64 };
typedef struct {
    int read, written;
} Pair;
static Pair pairs[ITEMS];
static struct {
    int a, written[2], b;
} fours[ITEMS];
static long values[ITEMS], chosen[ITEMS], doubled[ITEMS];
static int condition[ITEMS], copies[8];
static volatile long sink;
static volatile int mask = 1;

static void first(void) {
    for (int i = 0; i < ITEMS; i++) {
        *(volatile int *)&pairs[i].written = 1;
        *(volatile int *)&fours[i].written[0] = 2;
        *(volatile int *)&fours[i].written[1] = 3;
        if (i % 2 == 0) *(volatile long *)&values[i] = 4;
        if (i % 3 != 0) *(volatile long *)&chosen[i] = 5;
    }
}

__attribute__((noinline)) static void spread(void) {
    copies[0] = pairs[0].read * 3 + 1;
    copies[1] = pairs[1].read * 3 + 1;
    copies[2] = pairs[2].read * 3 + 1;
    copies[3] = pairs[3].read * 3 + 1;
    copies[4] = pairs[4].read * 3 + 1;
    copies[5] = pairs[5].read * 3 + 1;
    copies[6] = pairs[6].read * 3 + 1;
    copies[7] = pairs[7].read * 3 + 1;
}

__attribute__((noinline)) static long at_both_ends(void) {
    long sum = 0;
    for (int i = 0; i + 3 < ITEMS; i += 4) sum += (long)fours[i].a * fours[i + 3].b;
    return sum;
}

__attribute__((noinline)) static long if_odd(int bits) {
    long sum = 0;
    for (int i = 0; i < ITEMS; i++)
        if (condition[i] & bits) sum += values[i];
    return sum;
}

__attribute__((noinline)) static void double_thirds(int bits) {
    for (int i = 0; i < ITEMS; i++)
        if (condition[i] & bits) doubled[i] = 2 * chosen[i];
}

static void second(void) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
    spread();
    sink = at_both_ends();
    for (int i = 0; i < ITEMS; i++) condition[i] = (i % 2 == 1) | (i % 3 == 0) << 1;
    sink = if_odd(mask);
    double_thirds(2 * mask);
}
