// EXPECT: ^WARNING: Goldilocks: destruction of a locked rwlock on `read`
// EXPECT: ^WARNING: Goldilocks: destruction of a locked rwlock on `written`
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t read = PTHREAD_RWLOCK_INITIALIZER, written = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    CHECK(pthread_rwlock_rdlock(&read) == 0);
    pthread_rwlock_destroy(&read);
    CHECK(pthread_rwlock_wrlock(&written) == 0);
    pthread_rwlock_destroy(&written);
    return 0;
}
