// The memory of destroyed objects is used for new ones: initialized, statically initialized, constructed, zeroed, on the
// stack, in a pool of the program's own.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <shared_mutex>

#include "check.h"

alignas(64) static char pool[256];

static void with_calls(void *place) {
    auto mutex = new (place) pthread_mutex_t;
    CHECK(pthread_mutex_init(mutex, 0) == 0);
    CHECK(pthread_mutex_lock(mutex) == 0);
    CHECK(pthread_mutex_unlock(mutex) == 0);
    CHECK(pthread_mutex_destroy(mutex) == 0);
    auto rwlock = new (place) pthread_rwlock_t;
    CHECK(pthread_rwlock_init(rwlock, 0) == 0);
    CHECK(pthread_rwlock_wrlock(rwlock) == 0);
    CHECK(pthread_rwlock_unlock(rwlock) == 0);
    CHECK(pthread_rwlock_destroy(rwlock) == 0);
    auto cond = new (place) pthread_cond_t;
    CHECK(pthread_cond_init(cond, 0) == 0);
    CHECK(pthread_cond_signal(cond) == 0);
    CHECK(pthread_cond_destroy(cond) == 0);
    auto spin = new (place) pthread_spinlock_t;
    CHECK(pthread_spin_init(spin, 0) == 0);
    CHECK(pthread_spin_lock(spin) == 0);
    CHECK(pthread_spin_unlock(spin) == 0);
    CHECK(pthread_spin_destroy(spin) == 0);
    auto semaphore = new (place) sem_t;
    CHECK(sem_init(semaphore, 0, 1) == 0);
    CHECK(sem_wait(semaphore) == 0);
    CHECK(sem_post(semaphore) == 0);
    CHECK(sem_destroy(semaphore) == 0);
    auto barrier = new (place) pthread_barrier_t;
    CHECK(pthread_barrier_init(barrier, 0, 1) == 0);
    CHECK(pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    CHECK(pthread_barrier_destroy(barrier) == 0);
}

static void without_calls(void *place) {
    auto rwlock = new (place) pthread_rwlock_t(PTHREAD_RWLOCK_INITIALIZER);
    CHECK(pthread_rwlock_rdlock(rwlock) == 0);
    CHECK(pthread_rwlock_unlock(rwlock) == 0);
    CHECK(pthread_rwlock_destroy(rwlock) == 0);
    memset(place, 0, sizeof(pthread_rwlock_t));
    CHECK(pthread_rwlock_wrlock(rwlock) == 0);
    CHECK(pthread_rwlock_unlock(rwlock) == 0);
    CHECK(pthread_rwlock_destroy(rwlock) == 0);
    auto shared = new (place) std::shared_mutex;
    shared->lock_shared();
    shared->unlock_shared();
    shared->~shared_mutex();
    auto cond = new (place) pthread_cond_t(PTHREAD_COND_INITIALIZER);
    CHECK(pthread_cond_broadcast(cond) == 0);
    CHECK(pthread_cond_destroy(cond) == 0);
    auto variable = new (place) std::condition_variable;
    variable->notify_one();
    variable->~condition_variable();
    auto mutex = new (place) pthread_mutex_t(PTHREAD_MUTEX_INITIALIZER);
    CHECK(pthread_mutex_lock(mutex) == 0);
    CHECK(pthread_mutex_unlock(mutex) == 0);
    CHECK(pthread_mutex_destroy(mutex) == 0);
    auto standard = new (place) std::mutex;
    standard->lock();
    standard->unlock();
    standard->~mutex();
}

static void everywhere(void) {
    alignas(64) char local[256];
    void *block = malloc(256);
    for (int round = 0; round < 3; round++) {
        for (void *place : {(void *)pool, (void *)local, block}) {
            with_calls(place);
            without_calls(place);
        }
        free(block);
        block = malloc(256);
    }
    free(block);
}

static void *thread_of_it(void *unused) {
    alignas(64) char local[256];
    with_calls(local);
    without_calls(local);
    return unused;
}

int main() {
    everywhere();
    pthread_t threads[3];
    for (auto &thread : threads) CHECK(pthread_create(&thread, 0, thread_of_it, 0) == 0);
    for (auto &thread : threads) CHECK(pthread_join(thread, 0) == 0);
    everywhere();
    return 0;
}
