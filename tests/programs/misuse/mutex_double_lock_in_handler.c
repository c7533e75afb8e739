// A signal handler locks what the thread that it interrupts has locked.
// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a mutex on `lock`
// EXPECT: #0 handler
#include <pthread.h>
#include <signal.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
    (void)number;
    pthread_mutex_lock(&lock);
}

int main(void) {
    signal(SIGUSR1, handler);
    CHECK(pthread_mutex_lock(&lock) == 0);
    raise(SIGUSR1);
    return 0;
}
