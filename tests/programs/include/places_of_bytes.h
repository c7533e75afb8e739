// Bytes of words are written and read by one thread, in several orders and each from one of four places. Another one does not know of that: each byte of some words races with what was done
// from its own place. Each place of the second thread is paired with one of the first.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

#ifdef IRREGULAR
// From the second one on, what was accessed before is remembered beside what is accessed.
enum { ROUNDS = 3 };
#else
enum { ROUNDS = 1 };
#endif
enum { APART = 62, WORDS = 96 * APART };

typedef unsigned char Words[WORDS][8];
// Written, read, both, and written as a whole before they are read, in the same epoch or in the one before.
static _Alignas(64) Words written, seen, mixed, whole, before;
static int turn;
static pthread_mutex_t own;

__attribute__((noinline)) static void use(int value) { __asm__ volatile("" : : "r"(value)); }

#ifdef IRREGULAR
// No two words near each other have their bytes from the same places: more than is remembered in cells.
static unsigned place_of(unsigned word, unsigned byte) {
    unsigned hash = (word * 8 + byte + 1) * 2654435769u;
    return (hash ^ hash >> 15) >> 7 & 3;
}
#else
static unsigned place_of(unsigned word, unsigned byte) { return (byte * 3 + (word >> 1) % 4 * (byte & 1)) % 4; }
#endif

#define PLACE(name) __attribute__((noinline)) static void name(volatile unsigned char *byte)
PLACE(write_1) { *byte = 1; }
PLACE(write_2) { *byte = 2; }
PLACE(write_3) { *byte = 3; }
PLACE(write_4) { *byte = 4; }
PLACE(read_1) { use(*byte + 1); }
PLACE(read_2) { use(*byte + 2); }
PLACE(read_3) { use(*byte + 3); }
PLACE(read_4) { use(*byte + 4); }
PLACE(after_write_1) { use(*byte + 5); }
PLACE(after_write_2) { use(*byte + 6); }
PLACE(after_write_3) { use(*byte + 7); }
PLACE(after_write_4) { use(*byte + 8); }
PLACE(after_whole) { use(*byte + 13); }
PLACE(after_read_1) { *byte = 9; }
PLACE(after_read_2) { *byte = 10; }
PLACE(after_read_3) { *byte = 11; }
PLACE(after_read_4) { *byte = 12; }

typedef void (*Places[4])(volatile unsigned char *);
static const Places writes = {write_1, write_2, write_3, write_4}, reads = {read_1, read_2, read_3, read_4};
static const Places some_of_each = {write_1, read_2, write_3, read_4};
static const Places after_some_of_each = {after_write_1, after_read_2, after_write_3, after_read_4};
static const Places after_writes = {after_write_1, after_write_2, after_write_3, after_write_4};
static const Places after_reads = {after_read_1, after_read_2, after_read_3, after_read_4};

__attribute__((noinline)) static void all_of(Words words, const Places places) {
    for (unsigned word = 0; word < WORDS; word++)
        for (unsigned i = 0; i < 8; i++) {
            unsigned byte = (word & 8 ? 7 - i : i) ^ (word & 1);
            places[place_of(word, byte)](&words[word][byte]);
        }
}

// Nobody else uses the lock.
static void end_epoch(void) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
}

static void *first(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        all_of(written, writes);
        all_of(seen, reads);
        all_of(mixed, some_of_each);
        for (unsigned word = 0; word < WORDS; word++) {
            *(volatile long *)whole[word] = round;
            *(volatile long *)before[word] = round;
        }
        all_of(whole, reads);
        end_epoch();
        all_of(before, reads);
        end_epoch();
    }
    invisible_signal(&turn);
    return unused;
}

static void *second(void *unused) {
    invisible_wait(&turn, 1);
    for (unsigned word = 0; word < WORDS; word += APART)
        for (unsigned byte = 0; byte < 8; byte++) {
            // Bytes of half of the words, beside each other.
            if (byte / 4 != (word & 1)) continue;
            after_writes[place_of(word, byte)](&written[word][byte]);
            after_reads[place_of(word, byte)](&seen[word][byte]);
            after_some_of_each[place_of(word, byte)](&mixed[word][byte]);
            after_whole(&whole[word][byte]);
            after_whole(&before[word][byte]);
        }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_init(&own, 0);
    CHECK(!pthread_create(&threads[0], 0, first, 0));
    CHECK(!pthread_create(&threads[1], 0, second, 0));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
