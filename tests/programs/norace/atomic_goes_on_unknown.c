// A read-modify-write goes on with what another thread has released, of which its own thread knows nothing. Who knows all that the one
// who wrote last knew takes that, too.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static int data, count, other;
static int first_is_done, second_is_done;

static void *first(void *unused) {
    data = 1;
    __atomic_store_n(&count, 1, __ATOMIC_RELEASE);
    invisible_signal(&first_is_done);
    return unused;
}

static void *second(void *unused) {
    invisible_wait(&first_is_done, 1);
    __atomic_fetch_add(&count, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&other, 1, __ATOMIC_RELEASE);
    invisible_signal(&second_is_done);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    invisible_wait(&second_is_done, 1);
    CHECK(__atomic_load_n(&other, __ATOMIC_ACQUIRE) == 1);
    CHECK(__atomic_load_n(&count, __ATOMIC_ACQUIRE) == 2);
    CHECK(data == 1);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
