// A spin lock, and messages, by atomic instructions in assembly, as programs have them that are older than C11.
#include <pthread.h>
#include <sched.h>

#include "check.h"

typedef struct {
    int taken;
} Lock;

static int exchange(int *at, int value) {
    __asm__ volatile("xchgl %0, %1" : "=r"(value), "+m"(*at) : "0"(value) : "memory");
    return value;
}

static int compare_exchange(int *at, int expected, int value) {
    int before;
    __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(before), "+m"(*at) : "r"(value), "0"(expected) : "memory", "cc");
    return before == expected;
}

static long add(long *at, long value) {
    __asm__ volatile("lock\n\txaddq %0, (%1)" : "+r"(value) : "r"(at) : "memory", "cc");
    return value;
}

static int load(int *at) {
    int value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
    return value;
}

static void store(int *at, int value) {
    __asm__ volatile("movl %1, %0" : "=m"(*at) : "r"(value) : "memory");
}

static void lock(Lock *lock) {
    while (!compare_exchange(&lock->taken, 0, 1)) sched_yield();
}

static void unlock(Lock *lock) {
    store(&lock->taken, 0);
}

enum { ROUNDS = 2000 };
static Lock guard;
static long guarded, by_add[2], message;
static int is_there, has_been_read;

static void *works(void *me) {
    for (int round = 0; round < ROUNDS; round++) {
        lock(&guard);
        guarded++;
        unlock(&guard);
    }
    // Who comes last sees what the other one has written.
    by_add[(long)me] = 1 + (long)me;
    static long arrived;
    if (add(&arrived, 1) == 1) CHECK(by_add[0] + by_add[1] == 3);
    return 0;
}

static void *reads(void *unused) {
    while (!load(&is_there)) sched_yield();
    CHECK(message == 42);
    exchange(&has_been_read, 1);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (long me = 0; me < 2; me++) pthread_create(&threads[me], 0, works, (void *)me);
    pthread_create(&threads[2], 0, reads, 0);
    message = 42;
    store(&is_there, 1);
    while (!compare_exchange(&has_been_read, 1, 2)) sched_yield();
    message = 43;
    for (int each = 0; each < 3; each++) pthread_join(threads[each], 0);
    CHECK(guarded == 2 * ROUNDS);
    return 0;
}
