// A handler comes after who has sent its thread the signal, not after who has sent it to another thread.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// EXPECT: data race on `shared`
// EXPECT: #0 handler
// EXPECT: #0 first
#include <pthread.h>
#include <signal.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int is_sent, are_ready, is_handled;
static pthread_t to_one, to_other;

static void handler(int number) {
    (void)number;
    if (pthread_equal(pthread_self(), to_other)) shared = 2;
    invisible_signal(&is_handled);
}

static void *waits(void *unused) {
    invisible_signal(&are_ready);
    invisible_wait(&is_handled, 2);
    return unused;
}

static void *first(void *unused) {
    shared = 1;
    CHECK(!pthread_kill(to_one, SIGUSR1));
    invisible_signal(&is_sent);
    return unused;
}

static void *second(void *unused) {
    invisible_wait(&is_sent, 1);
    CHECK(!pthread_kill(to_other, SIGUSR1));
    return unused;
}

int main(void) {
    pthread_t one, other;
    signal(SIGUSR1, handler);
    pthread_create(&to_one, 0, waits, 0);
    pthread_create(&to_other, 0, waits, 0);
    invisible_wait(&are_ready, 2);
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return pthread_join(to_one, 0) | pthread_join(to_other, 0);
}
