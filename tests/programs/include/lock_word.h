// The word of a rwlock, and of a mutex, as Rust's standard library has them, and operations on them as the pass knows them there.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

uint64_t __goldilocks_lock_load(uint32_t *word, uint32_t operation);
uint64_t __goldilocks_lock_update(uint32_t *word, uint64_t operand, uint32_t operation);
uint64_t __goldilocks_lock_compare_exchange(uint32_t *word, uint64_t expected, uint64_t desired, uint32_t operation);

enum { WRITER = (1 << 30) - 1 };
// Of four bytes: a compare-exchange that acquires, an exchange and a subtraction that release; of a mutex, or of a rwlock.
enum { COMPARE = 4 | 3 << 8 | 2 << 12, EXCHANGE = 4 | 2 << 8 | 3 << 12, SUBTRACT = EXCHANGE | 2 << 20, MUTEX = 1 << 24, RWLOCK = 2 << 24 };

static inline int tries(uint32_t *word, uint32_t from, uint32_t to, uint32_t kind) {
    return __goldilocks_lock_compare_exchange(word, from, to, COMPARE | kind) == from;
}
static inline void takes_mutex(uint32_t *word) {
    while (!tries(word, 0, 1, MUTEX)) {}
}
static inline void gives_mutex(uint32_t *word) {
    __goldilocks_lock_update(word, 0, EXCHANGE | MUTEX);
}
static inline void takes_to_write(uint32_t *word) {
    while (!tries(word, 0, WRITER, RWLOCK)) {}
}
static inline void takes_to_read(uint32_t *word) {
    for (;;) {
        uint32_t seen = (uint32_t)__goldilocks_lock_load(word, 4 | RWLOCK);
        if (seen < WRITER - 1 && tries(word, seen, seen + 1, RWLOCK)) return;
    }
}
static inline void gives(uint32_t *word, uint32_t what) {
    __goldilocks_lock_update(word, what, SUBTRACT | RWLOCK);
}

// The same by atomics that nobody knows to be those of a lock.
static inline void takes_to_write_unknown(uint32_t *word) {
    uint32_t free = 0;
    while (!atomic_compare_exchange_weak_explicit((_Atomic uint32_t *)word, &free, WRITER, memory_order_acquire, memory_order_relaxed)) free = 0;
}
static inline void takes_to_read_unknown(uint32_t *word) {
    for (;;) {
        uint32_t seen = atomic_load_explicit((_Atomic uint32_t *)word, memory_order_relaxed);
        if (seen < WRITER - 1 && atomic_compare_exchange_weak_explicit((_Atomic uint32_t *)word, &seen, seen + 1, memory_order_acquire, memory_order_relaxed)) return;
    }
}
static inline void gives_unknown(uint32_t *word, uint32_t what) {
    atomic_fetch_sub_explicit((_Atomic uint32_t *)word, what, memory_order_release);
}
