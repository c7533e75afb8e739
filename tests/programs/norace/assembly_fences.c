// Messages by relaxed atomics, with fences in assembly on both sides, and the compiler's function for one.
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

static long by_fence, by_stack, by_function;
static atomic_int told[3];

static void *reads(void *unused) {
    while (!atomic_load_explicit(&told[0], memory_order_relaxed)) sched_yield();
    __asm__ volatile("mfence" : : : "memory");
    CHECK(by_fence == 1);
    while (!atomic_load_explicit(&told[1], memory_order_relaxed)) sched_yield();
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    CHECK(by_stack == 2);
    while (!atomic_load_explicit(&told[2], memory_order_relaxed)) sched_yield();
    _mm_mfence();
    CHECK(by_function == 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    by_fence = 1;
    __asm__ volatile("mfence" : : : "memory");
    atomic_store_explicit(&told[0], 1, memory_order_relaxed);
    by_stack = 2;
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    atomic_store_explicit(&told[1], 1, memory_order_relaxed);
    by_function = 3;
    _mm_mfence();
    atomic_store_explicit(&told[2], 1, memory_order_relaxed);
    return pthread_join(thread, 0);
}
