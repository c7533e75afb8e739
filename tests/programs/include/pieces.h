// Accesses of 2 to 16 bytes at every offset of a word, by one thread in many epochs and from several places: alone in an epoch, and beside the
// others. The program touches bytes of the blocks afterwards.
#pragma once
#include <pthread.h>

enum { SIZES = 4, OFFSETS = 16, BLOCK = 64 };

typedef short two __attribute__((aligned(1), may_alias));
typedef int four __attribute__((aligned(1), may_alias));
typedef long eight __attribute__((aligned(1), may_alias));
typedef long sixteen __attribute__((vector_size(16), aligned(1), may_alias));

static _Alignas(64) volatile char blocks[SIZES][OFFSETS][BLOCK];
static volatile long seen;
static pthread_mutex_t doors[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

// Two of them in turns: a thread that comes back to what it has released last goes on in its old epoch.
static void new_epoch(void) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&doors[i]);
        pthread_mutex_unlock(&doors[i]);
    }
}

__attribute__((noinline)) static void put(volatile char *at, int size) {
    switch (size) {
    case 0: *(volatile two *)at = -1; break;
    case 1: *(volatile four *)at = -1; break;
    case 2: *(volatile eight *)at = -1; break;
    default: *(volatile sixteen *)at = (sixteen){-1, -1};
    }
}

__attribute__((noinline)) static long get(volatile char *at, int size) {
    switch (size) {
    case 0: return *(volatile two *)at;
    case 1: return *(volatile four *)at;
    case 2: return *(volatile eight *)at;
    default: return (*(volatile sixteen *)at)[1];
    }
}

__attribute__((noinline)) static void put_again(volatile char *at, int size) {
    put(at, size);
}

static volatile char *piece(int size, int offset) {
    return &blocks[size][offset][16 + offset];
}

static void access_all(void) {
    for (int round = 0; round < 12; round++)
        for (int size = 0; size < SIZES; size++)
            for (int offset = 0; offset < OFFSETS; offset++) {
                volatile char *at = piece(size, offset);
                if (round % 4 != 3) new_epoch();
                if (round % 3 == 1) seen += get(at, size);
                if (round % 3 != 1 || round % 2) put(at, size);
                if (round % 5 == 2) put_again(at, size);
                if (round % 5 == 3) seen += get(at, size);
            }
}
