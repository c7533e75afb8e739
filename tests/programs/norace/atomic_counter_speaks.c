// Words that threads count in by relaxed operations, until one of them publishes by such a word, while the others go on counting: each word has told nobody
// anything before, and whoever counts goes on with what was released.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"

enum { WORDS = 64, TOLD = 1 << 30 };
#ifndef TELLS
#define TELLS memory_order_release
#endif
// Each on a page of its own, with stripes of their own.
static struct {
    _Alignas(4096) atomic_uint count;
    unsigned data;
} words[WORDS];
static atomic_int done;

static void *counts(void *unused) {
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        for (int i = 0; i < WORDS; i++) atomic_fetch_add_explicit(&words[i].count, 1, memory_order_relaxed);
    return unused;
}

static void *publishes(void *unused) {
    for (int i = 0; i < WORDS; i++) {
        for (int turn = 0; turn < 100; turn++) atomic_fetch_add_explicit(&words[i].count, 1, memory_order_relaxed);
        words[i].data = 7;
        atomic_fetch_or_explicit(&words[i].count, TOLD, TELLS);
    }
    return unused;
}

static void *reads(void *unused) {
    for (int i = 0; i < WORDS; i++) {
        while (!(atomic_load_explicit(&words[i].count, memory_order_acquire) & TOLD));
        CHECK(words[i].data == 7);
    }
    return unused;
}

// Finds it by counting as well.
static void *counts_and_reads(void *unused) {
    for (int i = 0; i < WORDS; i++) {
        while (!(atomic_fetch_add_explicit(&words[i].count, 1, memory_order_relaxed) & TOLD));
        atomic_thread_fence(memory_order_acquire);
        CHECK(words[i].data == 7);
    }
    return unused;
}

int main(void) {
    pthread_t counters[2], publisher, reader, counting_reader;
    for (int i = 0; i < 2; i++) pthread_create(&counters[i], 0, counts, 0);
    pthread_create(&reader, 0, reads, 0);
    pthread_create(&counting_reader, 0, counts_and_reads, 0);
    pthread_create(&publisher, 0, publishes, 0);
    pthread_join(publisher, 0);
    pthread_join(reader, 0);
    pthread_join(counting_reader, 0);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    for (int i = 0; i < 2; i++) pthread_join(counters[i], 0);
    return 0;
}
