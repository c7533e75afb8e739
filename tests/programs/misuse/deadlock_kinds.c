// A readers-writer lock, a spin lock and a mutex; the reader waits for a writer.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\)
// EXPECT: Lock for reading of rwlock while mutex is held
// EXPECT: Lock of spin while rwlock is held
// EXPECT: Lock of mutex while spin is held
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int turn;

static void *work(void *number) {
    int mine = (int)(long)number;
    invisible_wait(&turn, mine);
    switch (mine) {
    case 0:
        CHECK(pthread_rwlock_wrlock(&rwlock) == 0);
        CHECK(pthread_spin_lock(&spin) == 0);
        CHECK(pthread_spin_unlock(&spin) == 0);
        CHECK(pthread_rwlock_unlock(&rwlock) == 0);
        break;
    case 1:
        CHECK(pthread_spin_lock(&spin) == 0);
        CHECK(pthread_mutex_lock(&mutex) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        CHECK(pthread_spin_unlock(&spin) == 0);
        break;
    case 2:
        CHECK(pthread_mutex_lock(&mutex) == 0);
        CHECK(pthread_rwlock_rdlock(&rwlock) == 0);
        CHECK(pthread_rwlock_unlock(&rwlock) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        break;
    }
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    CHECK(pthread_spin_init(&spin, 0) == 0);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
