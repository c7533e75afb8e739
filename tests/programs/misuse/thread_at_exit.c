// A joinable thread runs when the process ends: told to those who ask for it.
// OPTIONS: report_threads_at_exit=1
// EXPECT: ^WARNING: Goldilocks: a thread that is neither joined nor detached runs at exit
// EXPECT: ^  Creation of T1 by main thread T0:$
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused) {
    for (;;) pause();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return 0;
}
