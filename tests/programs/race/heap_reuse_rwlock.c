// A readers-writer lock that is freed without being destroyed says nothing to who takes one at its address.
// FLAGS: -D_GNU_SOURCE -fno-builtin
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static volatile int shared;
// Relaxed: orders nothing.
static _Atomic(void *) before;
// Keeps the block apart from what the first thread has of malloc and gives back when it ends, before or after second().
static void *volatile apart;

__attribute__((constructor)) static void one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
}

static void first(void) {
    apart = malloc(5000);
    pthread_rwlock_t *lock = calloc(1, 5000);
    atomic_store_explicit(&before, lock, memory_order_relaxed);
    shared = 1;
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    free(lock);
}

static void second(void) {
    pthread_rwlock_t *lock = calloc(1, 5000);
    if (atomic_load_explicit(&before, memory_order_relaxed) != lock) abort();
    pthread_rwlock_wrlock(lock);
    shared = 2;
    pthread_rwlock_unlock(lock);
    free(lock);
}
