// FLAGS: -std=c++20
// Each form of atomic operation that C++20 and GCC's extensions have, passing a message in a way that the standard orders.
#include <atomic>
#include <thread>

#include "invisible.h"

#ifndef RELAXED
#define RELEASE std::memory_order_release
#define ACQUIRE std::memory_order_acquire
#define SYNC(operation) __sync_##operation
#else
#define RELEASE std::memory_order_relaxed
#define ACQUIRE std::memory_order_relaxed
#define SYNC(operation) relaxed_##operation
static int relaxed_fetch_and_add(int *word, int n) { return __atomic_fetch_add(word, n, __ATOMIC_RELAXED); }
static int relaxed_lock_test_and_set(int *word, int n) { return __atomic_exchange_n(word, n, __ATOMIC_RELAXED); }
static void relaxed_lock_release(int *word) { __atomic_store_n(word, 0, __ATOMIC_RELAXED); }
static int relaxed_val_compare_and_swap(int *word, int old, int n) {
    __atomic_compare_exchange_n(word, &old, n, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return old;
}
#endif

enum { FORMS = 8 };
static volatile int data[FORMS];
static int referred;
static std::atomic<float> single;
static std::atomic<double> twice;
static std::atomic_flag flag = ATOMIC_FLAG_INIT, cleared = ATOMIC_FLAG_INIT;
static int synced, tested;
static std::atomic<int> waited;
static int written;

int main() {
    (void)cleared.test_and_set();
    std::thread writer([] {
        for (int i = 0; i < FORMS; i++) data[i] = 1;
        std::atomic_ref<int>(referred).store(1, RELEASE);
        single.fetch_add(1.0f, RELEASE);
        twice.fetch_sub(1.0, RELEASE);
        (void)flag.test_and_set(RELEASE);
        cleared.clear(RELEASE);
        SYNC(fetch_and_add)(&synced, 1);
        (void)SYNC(lock_test_and_set)(&tested, 1);
        SYNC(lock_release)(&tested);
        invisible_signal(&written);
        invisible_pause(20);
        waited.store(1, RELEASE);
        waited.notify_one();
    });
    invisible_wait(&written, 1);
    if (std::atomic_ref<int>(referred).load(ACQUIRE) == 1) data[0] = 2;
    if (single.load(ACQUIRE) == 1.0f) data[1] = 2;
    if (twice.fetch_add(0.0, ACQUIRE) == -1.0) data[2] = 2;
    if (flag.test(ACQUIRE)) data[3] = 2;
    if (!cleared.test_and_set(ACQUIRE)) data[4] = 2;
    if (SYNC(val_compare_and_swap)(&synced, 1, 5) == 1) data[5] = 2;
    if (SYNC(lock_test_and_set)(&tested, 1) == 0) data[6] = 2;
    waited.wait(0, ACQUIRE);
    data[7] = 2;
    writer.join();
}
