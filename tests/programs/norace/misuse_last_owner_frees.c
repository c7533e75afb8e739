// The last owner of a counted object frees it with its lock: whoever unlocked it before is done with it by POSIX, although
// its unlock may still be on its way. Counted under the lock, and by an atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"

struct object {
    pthread_mutex_t lock;
    pthread_spinlock_t spin;
    pthread_rwlock_t rwlock;
    int owners;
    atomic_int counted;
    long value;
};

static void *drop_locked(void *argument) {
    struct object *object = argument;
    CHECK(pthread_mutex_lock(&object->lock) == 0);
    object->value++;
    int last = --object->owners == 0;
    CHECK(pthread_mutex_unlock(&object->lock) == 0);
    if (last) {
        CHECK(pthread_mutex_destroy(&object->lock) == 0);
        free(object);
    }
    return 0;
}

static void *drop_counted(void *argument) {
    struct object *object = argument;
    CHECK(pthread_spin_lock(&object->spin) == 0);
    object->value++;
    CHECK(pthread_spin_unlock(&object->spin) == 0);
    CHECK(pthread_rwlock_rdlock(&object->rwlock) == 0);
    CHECK(pthread_rwlock_unlock(&object->rwlock) == 0);
    if (atomic_fetch_sub_explicit(&object->counted, 1, memory_order_acq_rel) == 1) {
        CHECK(pthread_rwlock_destroy(&object->rwlock) == 0);
        CHECK(pthread_spin_destroy(&object->spin) == 0);
        free(object);
    }
    return 0;
}

int main(void) {
    for (int round = 0; round < 100; round++) {
        struct object *object = calloc(1, sizeof *object), *other = calloc(1, sizeof *other);
        object->owners = 4;
        CHECK(pthread_mutex_init(&object->lock, 0) == 0);
        atomic_init(&other->counted, 4);
        CHECK(pthread_spin_init(&other->spin, 0) == 0);
        CHECK(pthread_rwlock_init(&other->rwlock, 0) == 0);
        pthread_t threads[8];
        for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], 0, drop_locked, object) == 0);
        for (int i = 4; i < 8; i++) CHECK(pthread_create(&threads[i], 0, drop_counted, other) == 0);
        for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], 0) == 0);
    }
    return 0;
}
