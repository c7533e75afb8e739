// A row is one call of a function of libc, and what it must do to memory: the ranges that it reads and writes, and no byte
// beside. Another thread finds out: it touches every byte of four blocks around what the call has used, in ways that
// are a race with an access of the call, and in ways that are none, and the number of races that are reported must be that of the
// bytes in the ranges.
//
//     ROW(strcpy, text(a, "hello"), strcpy(b, a), (R(a, 6), W(b, 6)))
//
// is: the name (with _V_ and a word behind it if there are several rows of one function), what to do before, unseen by the
// detector, the call, and the ranges, which may depend on its result. With the argument `ordered` the two threads are
// ordered by semaphores, and nothing may be reported.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "check.h"
#include "invisible.h"

enum { MARGIN = 64, ROOM = 448, BLOCK = MARGIN + ROOM + MARGIN, ROWS = 700, RANGES = 200 };

// Four blocks of ROOM bytes with a margin on both sides, fresh for every row, full of '~', and zero in the last 8 bytes.
static char *a, *b, *c, *d;
// Results of calls, for their ranges.
static void *volatile got;
static volatile long number;
static volatile double real;

struct row {
    const char *name;
    void (*prepare)(void), (*call)(void), (*ranges)(void);
};
static struct row rows[ROWS];
static int row_count;

// The ranges of the row at hand. A byte that is written counts as that alone.
static char kinds[4][BLOCK];
static struct range {
    char *start;
    long bytes;
    char kind;
} elsewhere[RANGES];
static int elsewhere_count;
static long read_bytes, written_bytes;

INVISIBLE void note(void *start, long bytes, char kind) {
    char *blocks[] = {a, b, c, d};
    for (int at = 0; at < 4; at++) {
        char *from = blocks[at] - MARGIN;
        if ((char *)start < from || (char *)start + bytes > from + BLOCK) continue;
        for (long i = 0; i < bytes; i++) {
            char *place = &kinds[at][(char *)start - from + i];
            if (*place != 'w') *place = kind;
        }
        return;
    }
    if (bytes == 0) return;
    for (int at = 0; at < elsewhere_count; at++)
        if (elsewhere[at].start == start) return;
    CHECK(elsewhere_count < RANGES);
    elsewhere[elsewhere_count++] = (struct range){start, bytes, kind};
}

INVISIBLE void R(const void *start, long bytes) { note((void *)start, bytes, 'r'); }
INVISIBLE void W(const void *start, long bytes) { note((void *)start, bytes, 'w'); }

INVISIBLE void text(void *to, const char *from) {
    volatile char *at = to;
    while ((*at++ = *from++)) {
    }
}
INVISIBLE void bytes(void *to, const void *from, long count) {
    for (long i = 0; i < count; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
}
INVISIBLE void wide(void *to, const wchar_t *from) {
    volatile wchar_t *at = to;
    while ((*at++ = *from++)) {
    }
}
INVISIBLE void fill(void *to, char byte, long count) {
    for (long i = 0; i < count; i++) ((volatile char *)to)[i] = byte;
}
INVISIBLE void word(void *to, long value) { bytes(to, &value, 8); }
INVISIBLE void integer(void *to, int value) { bytes(to, &value, 4); }

// The accesses of the other thread, each in a function of its own: by their names reports are told apart.
static __attribute__((noinline)) void outside_write(volatile char *at) { *at = *at; }
static __attribute__((noinline)) void outside_read(volatile char *at) { (void)*at; }
static __attribute__((noinline)) void inside_write(volatile char *at) { *at = *at; }
static __attribute__((noinline)) void inside_read(volatile char *at) { (void)*at; }

INVISIBLE void probe(void) {
    char *blocks[] = {a, b, c, d};
    for (int at = 0; at < 4; at++)
        for (int i = 0; i < BLOCK; i++) {
            char *byte = blocks[at] - MARGIN + i;
            if (kinds[at][i] == 'r') outside_read(byte);
            if (kinds[at][i] == 0) outside_write(byte);
        }
    for (int at = 0; at < 4; at++)
        for (int i = 0; i < BLOCK; i++) {
            char *byte = blocks[at] - MARGIN + i;
            if (kinds[at][i] == 'r') inside_write(byte);
            if (kinds[at][i] == 'w') inside_read(byte);
            read_bytes += kinds[at][i] == 'r';
            written_bytes += kinds[at][i] == 'w';
        }
    for (int at = 0; at < elsewhere_count; at++)
        for (long i = 0; i < elsewhere[at].bytes; i++) {
            char *byte = elsewhere[at].start + i;
            if (elsewhere[at].kind == 'r') inside_write(byte), read_bytes++;
            else inside_read(byte), written_bytes++;
        }
}

INVISIBLE char *block(void) {
    char *memory = malloc(BLOCK);
    CHECK(memory);
    fill(memory, '~', BLOCK);
    fill(memory + MARGIN + ROOM - 8, 0, 8);
    return memory + MARGIN;
}

static int called;
static int is_ordered;
static sem_t called_in_order, all_probed, boundary;

INVISIBLE void *prober(void *unused) {
    for (int at = 0; at < row_count; at++) {
        if (is_ordered) sem_wait(&called_in_order);
        invisible_wait(&called, at + 1);
        probe();
        sem_post(&all_probed);
    }
    return unused;
}

INVISIBLE void say(const struct row *row) {
    char line[200];
    int length = snprintf(line, sizeof line, "ROW %s %ld %ld\n", row->name, read_bytes, written_bytes);
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(1L), "D"(3L), "S"(line), "d"((long)length) : "rcx", "r11", "memory");
    CHECK(result == length);
}

// The results go to descriptor 3: 0, 1 and 2 belong to the rows.
INVISIBLE int run(int count, char **arguments) {
    is_ordered = count > 1 && !strcmp(arguments[1], "ordered");
    const char *only = count > 2 ? arguments[2] : 0;
    sem_init(&called_in_order, 0, 0);
    sem_init(&all_probed, 0, 0);
    sem_init(&boundary, 0, 0);
    if (only) {
        int kept = 0;
        for (int at = 0; at < row_count; at++)
            if (!strcmp(rows[at].name, only)) rows[kept++] = rows[at];
        row_count = kept;
    }
    pthread_t thread;
    pthread_create(&thread, 0, prober, 0);
    for (int at = 0; at < row_count; at++) {
        a = block(), b = block(), c = block(), d = block();
        for (int i = 0; i < 4; i++) fill(kinds[i], 0, BLOCK);
        elsewhere_count = 0;
        read_bytes = written_bytes = 0;
        rows[at].prepare();
        // Nobody waits for it: it only makes what the call does something new, whatever of it was done before.
        sem_post(&boundary);
        rows[at].call();
        rows[at].ranges();
        if (is_ordered) sem_post(&called_in_order);
        invisible_signal(&called);
        // The other direction: the next call may use the same memory.
        sem_wait(&all_probed);
        say(&rows[at]);
    }
    pthread_join(thread, 0);
    return 0;
}

#define MAIN                                                            \
    __attribute__((disable_sanitizer_instrumentation)) int main(int count, char **arguments) { \
        return run(count, arguments);                                   \
    }

// `call` is a statement; what it does besides calling is with the two pointers and results above only.
#define ROW(name, before, call, what)                                                  \
    INVISIBLE void prepare_##name(void) { (void)0, before; }                           \
    static __attribute__((noinline)) void call_##name(void) { call; }                  \
    INVISIBLE void ranges_##name(void) { (void)0, what; }                              \
    INVISIBLE __attribute__((constructor)) void add_##name(void) {                     \
        CHECK(row_count < ROWS);                                                       \
        rows[row_count++] = (struct row){#name, prepare_##name, call_##name, ranges_##name}; \
    }
#define NOTHING (void)0

// What a system call is given by address is not there: the kernel says so, and nobody else has looked at it.
#define BAD ((void *)16)
INVISIBLE __attribute__((unused)) void refused(void) { CHECK(number == -1 && errno == EFAULT); }
