// EXPECT: ^WARNING: Goldilocks: use of a destroyed condition variable on `changed`
// EXPECT: ^  Signal of changed by main thread T0:$
// EXPECT: ^  Destroyed by main thread T0:$
#include <pthread.h>

#include "check.h"

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    CHECK(pthread_cond_destroy(&changed) == 0);
    pthread_cond_signal(&changed);
    return 0;
}
