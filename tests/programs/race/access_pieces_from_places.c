// A thread comes to the bytes of a few words in many sync epochs, in pieces of all sizes, by reads and writes and from several places, so that most of the
// words have records. Another one then writes each byte, and meets what was done to that last, and from where: the program says what that is, which is compared with the reports.
// OPTIONS: report_once=0
// RUN: code=0; $OUT >$OUT.expected 2>$OUT.reports || code=$?; awk -f $DIR/../include/last_accesses.awk $OUT.expected $OUT.reports >&2; cat $OUT.reports >&2; exit $code
// EXPECT: bytes agree: 512 of 512
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "unordered.h"

enum { WORDS = 64, BYTES = 8 * WORDS, PLACES = 3, KINDS = 8 * PLACES, ROUNDS = 400, STEPS = 60 };

static _Alignas(64) volatile unsigned char memory[BYTES];
static pthread_mutex_t doors[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#define NOT_CHECKED __attribute__((noinline, no_sanitize("thread"))) static

#define PLACE(bits, place)                                                                                                                  \
    __attribute__((noinline)) static void read_##bits##_##place(volatile unsigned char *at) { (void)*(volatile uint##bits##_t *)at; }       \
    __attribute__((noinline)) static void write_##bits##_##place(volatile unsigned char *at) { *(volatile uint##bits##_t *)at = place; }
#define PLACES_OF(bits) PLACE(bits, 0) PLACE(bits, 1) PLACE(bits, 2)
PLACES_OF(8) PLACES_OF(16) PLACES_OF(32) PLACES_OF(64)

#define KIND(bits, place) {#bits "_" #place, bits / 8, {read_##bits##_##place, write_##bits##_##place}}
#define KINDS_OF(bits) KIND(bits, 0), KIND(bits, 1), KIND(bits, 2)
static const struct {
    const char *name;
    int size;
    void (*does[2])(volatile unsigned char *);
} kinds[] = {KINDS_OF(8), KINDS_OF(16), KINDS_OF(32), KINDS_OF(64)};

// Of each byte, in which epoch it was read and written last, and from which places in that one.
static struct {
    int epoch;
    unsigned places;
} last[BYTES][2];

static unsigned state = 1;
static unsigned next(unsigned below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

NOT_CHECKED void note(unsigned byte, unsigned kind, unsigned write, int epoch) {
    for (unsigned at = byte; at < byte + kinds[kind].size; at++) {
        if (last[at][write].epoch != epoch) last[at][write].places = 0;
        last[at][write].epoch = epoch;
        last[at][write].places |= 1u << kind;
    }
}

static void first(void) {
    for (int epoch = 1; epoch <= ROUNDS; epoch++) {
        // A part of the words, so that there are some that were last used long ago.
        unsigned from = next(WORDS);
        for (int step = 0; step < STEPS; step++) {
            unsigned kind = next(sizeof kinds / sizeof kinds[0]), write = next(3) == 0, size = kinds[kind].size;
            unsigned byte = (from + next(16)) % WORDS * 8 + next(8 / size) * size;
            kinds[kind].does[write](memory + byte);
            note(byte, kind, write, epoch);
        }
        // Two of them in turns: a thread that comes back to what it has released last goes on in its old epoch.
        for (int door = 0; door < 2; door++) {
            pthread_mutex_lock(&doors[door]);
            pthread_mutex_unlock(&doors[door]);
        }
    }
}

NOT_CHECKED void names(const char *what, unsigned write, unsigned at) {
    for (unsigned kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        if (last[at][write].places >> kind & 1) printf("%s %p %s_%s\n", what, (void *)(memory + at), write ? "write" : "read", kinds[kind].name);
}

// What was read before it was written is forgotten, and what was read in the epoch of the write may be.
NOT_CHECKED void expect(unsigned at) {
    int written = last[at][1].epoch, read = last[at][0].epoch;
    if (written) names("must", 1, at);
    if (read > written) names("must", 0, at);
    if (read && read == written) names("may", 0, at);
}

static void second(void) {
    for (unsigned at = 0; at < BYTES; at++) {
        expect(at);
        memory[at] = 1;
    }
}
