// An annotated lock that is taken while the thread waits inside another one orders all the same.
// LEVELS: O1
#include <stdatomic.h>

#include "unordered.h"

void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);

static atomic_int outer, another, inner;
static volatile int shared;

static void lock(atomic_int *word) {
    int free = 0;
    __tsan_mutex_pre_lock(word, 0);
    while (!atomic_compare_exchange_weak_explicit(word, &free, 1, memory_order_acquire, memory_order_relaxed)) free = 0;
    __tsan_mutex_post_lock(word, 0, 0);
}

static void unlock(atomic_int *word) {
    __tsan_mutex_pre_unlock(word, 0);
    atomic_store_explicit(word, 0, memory_order_release);
    __tsan_mutex_post_unlock(word, 0);
}

static void first(void) {
    shared = 1;
    __tsan_mutex_pre_lock(&outer, 0);
    lock(&inner);
    unlock(&inner);
    __tsan_mutex_post_lock(&outer, 0, 0);
    __tsan_mutex_pre_unlock(&outer, 0);
    __tsan_mutex_post_unlock(&outer, 0);
}

static void second(void) {
    __tsan_mutex_pre_lock(&another, 0);
    __tsan_mutex_post_lock(&another, 0, 0);
    __tsan_mutex_pre_unlock(&another, 0);
    lock(&inner);
    unlock(&inner);
    __tsan_mutex_post_unlock(&another, 0);
    shared = 2;
}
