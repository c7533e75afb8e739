// Threads take the lock of every bucket, in order; another one takes two of them the other way round. That costs little memory, though each lock is taken under all others.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\)
// EXPECT: the locks form a cycle, .* -> .* -> .*:
// EXPECT: ^Goldilocks: 1 finding \(
#include <pthread.h>
#include <sys/resource.h>

#include "check.h"
#include "invisible.h"

enum { LOCKS = 700, ROUNDS = 4, KILOBYTES = 200000 };
static pthread_rwlock_t locks[LOCKS];
static int done;

static void *take_all(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LOCKS; i++) CHECK((round & 1 ? pthread_rwlock_rdlock : pthread_rwlock_wrlock)(&locks[i]) == 0);
        for (int i = 0; i < LOCKS; i++) CHECK(pthread_rwlock_unlock(&locks[i]) == 0);
    }
    invisible_signal(&done);
    return unused;
}

static void *take_two(void *unused) {
    invisible_wait(&done, 2);
    CHECK(pthread_rwlock_wrlock(&locks[650]) == 0);
    CHECK(pthread_rwlock_wrlock(&locks[3]) == 0);
    CHECK(pthread_rwlock_unlock(&locks[3]) == 0);
    CHECK(pthread_rwlock_unlock(&locks[650]) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < LOCKS; i++) CHECK(pthread_rwlock_init(&locks[i], 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, i < 2 ? take_all : take_two, 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    CHECK(usage.ru_maxrss < KILOBYTES);
    return 0;
}
