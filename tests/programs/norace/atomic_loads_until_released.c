// Words to which nothing was ever released, at which others look again and again without taking anything, until somebody releases something to each: by a store, by
// one after a fence, by a read-modify-write, by an exchange. Who has seen that and fences comes after it. There are many, with neighbours in one word of memory.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { WORDS = 256, WAYS = 4 };
#ifndef TELLS
#define TELLS memory_order_release
#endif
static struct {
    atomic_uchar narrow;
    atomic_uchar beside;
    atomic_uint word;
    atomic_ulong wide;
    unsigned data;
} all[WORDS];

static void *publishes(void *unused) {
    for (int i = 0; i < WORDS; i++) {
        all[i].data = 7;
        switch (i % WAYS) {
        case 0: atomic_store_explicit(&all[i].narrow, 1, TELLS); break;
        case 1:
            atomic_thread_fence(TELLS);
            atomic_store_explicit(&all[i].word, 1, memory_order_relaxed);
            break;
        case 2: __atomic_fetch_max((unsigned *)&all[i].word, 1, TELLS); break;
        default: {
            unsigned long expected = 0;
            CHECK(atomic_compare_exchange_strong_explicit(&all[i].wide, &expected, 1, TELLS, memory_order_relaxed));
        }
        }
        atomic_fetch_add_explicit(&all[i].beside, 1, memory_order_relaxed);
    }
    return unused;
}

static int is_there(int i) {
    switch (i % WAYS) {
    case 0: return atomic_load_explicit(&all[i].narrow, memory_order_relaxed);
    case 1: case 2: return (int)atomic_load_explicit(&all[i].word, memory_order_relaxed);
    default: return (int)atomic_load_explicit(&all[i].wide, memory_order_relaxed);
    }
}

static void *reads(void *unused) {
    for (int i = 0; i < WORDS; i++) {
        // What is looked at in between has told nothing yet, and may do so meanwhile.
        for (int turn = 0; !is_there(i); turn++) is_there((i + turn) % WORDS);
        atomic_thread_fence(memory_order_acquire);
        CHECK(all[i].data == 7);
    }
    return unused;
}

int main(void) {
    pthread_t readers[2], publisher;
    for (int i = 0; i < 2; i++) pthread_create(&readers[i], 0, reads, 0);
    pthread_create(&publisher, 0, publishes, 0);
    for (int i = 0; i < 2; i++) pthread_join(readers[i], 0);
    pthread_join(publisher, 0);
    return 0;
}
