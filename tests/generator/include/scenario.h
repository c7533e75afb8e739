// What generated programs are made of. Whatever forces the schedule or tells of it cannot be seen by a detector.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <atomic>
#include <barrier>
#include <chrono>
#include <future>
#include <latch>
#include <mutex>
#include <new>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <thread>
extern "C" {
#else
#include <stdatomic.h>
#include <threads.h>
#endif
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#ifdef __cplusplus
}
#endif

#include "invisible.h"

// U: at any address. A: aligned. Both may be used on any memory.
typedef uint8_t __attribute__((may_alias)) U1, A1;
typedef uint16_t __attribute__((may_alias, aligned(1))) U2;
typedef uint32_t __attribute__((may_alias, aligned(1))) U4;
typedef uint64_t __attribute__((may_alias, aligned(1))) U8;
typedef uint16_t __attribute__((may_alias)) A2;
typedef uint32_t __attribute__((may_alias)) A4;
typedef uint64_t __attribute__((may_alias)) A8;
typedef int __attribute__((vector_size(16), may_alias, aligned(1))) V16;
typedef int __attribute__((vector_size(32), may_alias, aligned(1))) V32;

struct bits {
    unsigned a : 3;
    unsigned b : 9;
    unsigned : 0;
    unsigned c : 8;
    unsigned d : 20;
};
typedef struct bits __attribute__((may_alias, aligned(1))) Bits;

struct padded {
    char a;
    short b __attribute__((aligned(4)));
    long c;
};
typedef struct padded __attribute__((may_alias, aligned(1))) Padded;

// A value that the compiler does not know.
static inline __attribute__((always_inline)) long opaque(long value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}
// What the compiler must have computed.
static inline __attribute__((always_inline)) void consume(long value) { __asm__ volatile("" : : "r"(value)); }

INVISIBLE void must(int condition) {
    if (!condition) __builtin_trap();
}

static const struct timespec far_away = {.tv_sec = 4000000000, .tv_nsec = 0};

// The schedule: position of every turn.
static const unsigned short *order_of_turns;
static int turns_over;
// Addresses of places, and thread handles.
static unsigned char *places[32], *freed[32];
static long handles[16];
static sem_t threads_done;

INVISIBLE void mark(char kind, unsigned long a, unsigned long b, unsigned long c) {
    char text[64];
    unsigned long numbers[3] = {a, b, c};
    int length = 0;
    text[length++] = '#';
    text[length++] = kind;
    for (int number = 0; number < 3; number++) {
        text[length++] = ' ';
        for (int shift = number == 1 ? 44 : 12; shift >= 0; shift -= 4)
            text[length++] = "0123456789abcdef"[numbers[number] >> shift & 15];
    }
    text[length++] = '\n';
    long result;
    char *start = text;
    __asm__ volatile("syscall" : "=a"(result) : "a"(1L), "D"(2L), "S"(start), "d"((long)length) : "rcx", "r11", "memory");
}

INVISIBLE void turn(int index) {
    int position = order_of_turns[index];
    invisible_wait(&turns_over, position);
    mark('T', position, 0, 0);
}
INVISIBLE void pass(void) { invisible_signal(&turns_over); }

INVISIBLE void publish(int place, void *address, unsigned long bytes) {
    places[place] = (unsigned char *)address;
    mark('P', place, (unsigned long)address, bytes);
}
INVISIBLE unsigned char *at(int place) { return places[place]; }
INVISIBLE unsigned char *retract(int place) {
    unsigned char *address = places[place];
    places[place] = 0;
    freed[place] = address;
    return address;
}
INVISIBLE unsigned char *gone(int place) { return freed[place]; }
INVISIBLE void keep(int thread, long handle) { handles[thread] = handle; }
INVISIBLE long kept(int thread) { return handles[thread]; }

INVISIBLE void begin(int scenario, int run, const unsigned short *order) {
    order_of_turns = order;
    turns_over = 0;
    for (int place = 0; place < 32; place++) places[place] = 0;
    mark('S', scenario, run, 0);
}
INVISIBLE void finish(int turns) {
    invisible_wait(&turns_over, turns);
    mark('E', 0, 0, 0);
}

// Signals: who waits for one, what its handler does, and how many were handled.
static pthread_t expecting[16];
static void (*on_signal[16])(void);
static int signals_handled[16];
INVISIBLE void handler(int signal) {
    int number = signal - SIGRTMIN;
    if (on_signal[number]) on_signal[number]();
    invisible_signal(&signals_handled[number]);
}
INVISIBLE void handle(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    must(sigaction(SIGRTMIN + number, &action, 0) == 0);
}
INVISIBLE int expect_signal(int number, void (*function)(void)) {
    expecting[number] = pthread_self();
    on_signal[number] = function;
    return invisible_count(&signals_handled[number]);
}
INVISIBLE void await_signal(int number, int seen) { invisible_wait(&signals_handled[number], seen + 1); }
INVISIBLE pthread_t who_expects(int number) { return expecting[number]; }

// Arguments of a unit: `scenario [run]`, which alone runs, or `from scenario run`, the first that does. Without them all do.
INVISIBLE int wanted(int count, char **arguments, int scenario, int run) {
    if (count == 4) {
        int first = atoi(arguments[2]);
        return scenario > first || (scenario == first && run >= atoi(arguments[3]));
    }
    if (count > 1 && atoi(arguments[1]) != scenario) return 0;
    return count < 3 || atoi(arguments[2]) == run;
}

// What an atomic holds.
INVISIBLE long peek(const void *address, int bytes) {
    switch (bytes) {
    case 1: return *(const U1 *)address;
    case 2: return *(const U2 *)address;
    case 4: return *(const U4 *)address;
    default: return (long)*(const U8 *)address;
    }
}
INVISIBLE int raised(int *flag) { return *flag; }
INVISIBLE void raise_flag(int *flag, int value) { *flag = value; }
