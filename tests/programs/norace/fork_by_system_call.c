// Children made by system calls, while other threads are in the midst of anything: with and without a word of it, and by `clone`.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void __sanitizer_syscall_pre_impl_fork(void);
void __sanitizer_syscall_post_impl_fork(long);

static int counter;

static void *counts(void *argument) {
    for (;;) __sync_fetch_and_add(&counter, 1);
    return argument;
}

static int child(void *argument) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    __sync_fetch_and_add(&counter, 1);
    pthread_mutex_unlock(&lock);
    _exit(argument ? 1 : 7);
}

static char stack[256 << 10] __attribute__((aligned(64)));

static int make(int way) {
    int process;
    switch (way) {
    case 0: process = (int)syscall(SYS_fork); break;
    case 1:
        __sanitizer_syscall_pre_impl_fork();
        process = (int)syscall(SYS_fork);
        __sanitizer_syscall_post_impl_fork(process);
        break;
    case 2: process = (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); break;
    default: return clone(child, stack + sizeof stack, SIGCHLD, 0);
    }
    if (process == 0) child(0);
    return process;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, counts, 0);
    for (int round = 0; round < 100; round++) {
        int status = 0, process = make(round % 4);
        if (process <= 0 || waitpid(process, &status, 0) != process) return 1;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) return 2;
    }
    return 0;
}
