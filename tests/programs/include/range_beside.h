// A thread accesses a word, and the second half of the next one, and then by a loop three numbers that end with the first half of that. Whoever accesses that half, which with RACE is not ordered
// after the loop, races with the loop, and with nothing else.
#pragma once
#include <pthread.h>

#include "invisible.h"

enum { ROWS = 64 };

static int read_rows[4 * ROWS] __attribute__((aligned(8))), written_rows[4 * ROWS] __attribute__((aligned(8)));
static int done;

__attribute__((noinline)) static long sum(const int *from, int count) {
    long all = 0;
    for (int index = 0; index < count; index++) all += from[index];
    return all;
}
__attribute__((noinline)) static void fill(int *from, int count, int with) {
    for (int index = 0; index < count; index++) from[index] = with + index;
}
__attribute__((noinline)) static long one(const volatile int *from) { return *from; }
__attribute__((noinline)) static void set_one(volatile int *to) { *to = 1; }

static void *loops(void *count) {
    long all = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int index = 0; index < 4; index++)
            if (index != 2) all += one(&read_rows[4 * row + index]);
        all += sum(&read_rows[4 * row], *(int *)count);
        for (int index = 0; index < 4; index++)
            if (index != 2) set_one(&written_rows[4 * row + index]);
        fill(&written_rows[4 * row], *(int *)count, row);
    }
    invisible_signal(&done);
    return (void *)all;
}

static long others(void) {
    long all = 0;
    for (int row = 0; row < ROWS; row++) {
        set_one(&read_rows[4 * row + 2]);
        all += one(&written_rows[4 * row + 2]);
    }
    return all;
}

int main(void) {
    int count = 3;
    long all = 0;
    pthread_t thread;
    pthread_create(&thread, 0, loops, &count);
    invisible_wait(&done, 1);
#ifdef RACE
    all += others();
#endif
    pthread_join(thread, 0);
#ifndef RACE
    all += others();
#endif
    return all == 1;
}
