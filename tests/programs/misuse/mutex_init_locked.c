// EXPECT: ^WARNING: Goldilocks: initialization of a locked mutex on `lock`
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(pthread_mutex_init(&lock, 0) == 0);
    return 0;
}
