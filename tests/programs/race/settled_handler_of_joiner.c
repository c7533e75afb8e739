// A thread that joins another runs a signal handler meanwhile, which uses what all others have used, each after the other.
// EXPECT: data race on `word.value`
// OPTIONS: settle_after=1
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "settled.h"

static int step, process;

// tgkill(2), of the first thread, which orders nothing.
INVISIBLE void interrupt(void) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(234L), "D"((long)process), "S"((long)process), "d"((long)SIGUSR1)
                     : "rcx", "r11", "memory");
}

static void handler(int number) {
    (void)number;
    seen = word.value;
    invisible_signal(&step);
}

static void *work(void *unused) {
    use_by_both();
    interrupt();
    invisible_wait(&step, 1);
    return unused;
}

int main(void) {
    process = getpid();
    signal(SIGUSR1, handler);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
