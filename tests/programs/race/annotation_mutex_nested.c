// What is done inside an annotated lock without an annotated lock of its own orders nothing.
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <stdatomic.h>

#include "unordered.h"

void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);

static atomic_int outer, another, inner;
static volatile int shared;

static void first(void) {
    shared = 1;
    __tsan_mutex_pre_lock(&outer, 0);
    int free = 0;
    atomic_compare_exchange_strong(&inner, &free, 1);
    atomic_store(&inner, 0);
    __tsan_mutex_post_lock(&outer, 0, 0);
    __tsan_mutex_pre_unlock(&outer, 0);
    __tsan_mutex_post_unlock(&outer, 0);
}

static void second(void) {
    __tsan_mutex_pre_lock(&another, 0);
    __tsan_mutex_post_lock(&another, 0, 0);
    __tsan_mutex_pre_unlock(&another, 0);
    int free = 0;
    atomic_compare_exchange_strong(&inner, &free, 1);
    atomic_store(&inner, 0);
    __tsan_mutex_post_unlock(&another, 0);
    shared = 2;
}
