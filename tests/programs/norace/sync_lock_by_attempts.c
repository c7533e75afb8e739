// Locks that threads try to take again and again, giving their processors away in between or not, so that they come to take naps: of pthreads, and of the
// program's own. What each of them guards is ordered, and nobody waits for ever.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 40000, KINDS = 7 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static atomic_int exchanged, compared, looked_at;
static long counts[KINDS];

static void take(int kind) {
    int free = 0;
    switch (kind) {
    case 0: while (pthread_mutex_trylock(&mutex)) sched_yield(); break;
    case 1: while (pthread_rwlock_trywrlock(&rwlock)) sched_yield(); break;
    case 2: while (pthread_spin_trylock(&spin)); break;
    case 3: pthread_spin_lock(&spin); break;
    case 4: while (atomic_exchange_explicit(&exchanged, 1, memory_order_acquire)) sched_yield(); break;
    case 5: while (!atomic_compare_exchange_weak_explicit(&compared, &free, 1, memory_order_acquire, memory_order_relaxed)) free = 0; break;
    default:
        do while (atomic_load_explicit(&looked_at, memory_order_relaxed));
        while (atomic_exchange_explicit(&looked_at, 1, memory_order_acquire));
    }
}

static void give(int kind) {
    switch (kind) {
    case 0: CHECK(pthread_mutex_unlock(&mutex) == 0); break;
    case 1: CHECK(pthread_rwlock_unlock(&rwlock) == 0); break;
    case 2: case 3: CHECK(pthread_spin_unlock(&spin) == 0); break;
    case 4: atomic_store_explicit(&exchanged, 0, memory_order_release); break;
    case 5: atomic_store_explicit(&compared, 0, memory_order_release); break;
    default: atomic_store_explicit(&looked_at, 0, memory_order_release);
    }
}

static void *worker(void *unused) {
    for (int kind = 0; kind < KINDS; kind++) {
        for (int round = 0; round < ROUNDS; round++) {
            take(kind);
            counts[kind]++;
            give(kind);
        }
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    CHECK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, 0) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    for (int kind = 0; kind < KINDS; kind++) CHECK(counts[kind] == THREADS * ROUNDS);
    return 0;
}
