// A handler that interrupts calls `pthread_mutex_lock`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `pthread_mutex_lock` in a handler of SIGALRM
// EXPECT: ^  Call of `pthread_mutex_lock` by main thread T0
// EXPECT: #0 handler .*signal_mutex.c
// REJECT: data race
#include <signal.h>
#include <pthread.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
