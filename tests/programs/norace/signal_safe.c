// What handlers may do: anything when the thread has sent the signal to itself or its own instruction has caused it; when it
// interrupts, what POSIX lists, if errno is restored. And one that is left by a jump is over.
// FLAGS: -fno-builtin
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t count, fault;
static sigjmp_buf out;
static sem_t semaphore;
static int null;

static void anything(int number) {
    free(malloc(10));
    fprintf(stdout, "signal\n");
    errno = 99;
    count += number > 0;
}

static void faulted(int number) {
    free(malloc(10));
    siglongjmp(out, number);
}

static void listed(int number) {
    int saved = errno;
    write(null, "x", 1);
    sem_post(&semaphore);
    char text[20];
    memcpy(text, "0123456789", 10);
    CHECK(strlen("abc") == 3);
    close(-1);
    errno = saved;
    count += number > 0;
}

static void jumps(int number) {
    siglongjmp(out, number);
}

static void gives_up(int number) {
    signal(number, SIG_DFL);
    close(-1);
    raise(number);
}

// Deep enough to have used the handler's place on the stack.
__attribute__((noinline)) static int deep(int depth) {
    volatile char room[4096];
    room[depth] = (char)depth;
    free(malloc(10));
    return depth == 0 ? room[0] : deep(depth - 1) + room[depth];
}

int main(void) {
    null = open("/dev/null", O_WRONLY);
    sem_init(&semaphore, 0, 0);
    signal(SIGUSR1, anything);
    signal(SIGABRT, anything);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    union sigval value = {0};
    sigqueue(getpid(), SIGUSR1, value);
    CHECK(count == 4);

    signal(SIGSEGV, faulted);
    if (!sigsetjmp(out, 1)) *(volatile char *)64 = 1;

    signal(SIGALRM, listed);
    count = 0;
    ualarm(1000, 1000);
    while (count < 3) errno = 0;
    ualarm(0, 0);
    CHECK(errno == 0);

    signal(SIGALRM, jumps);
    if (!sigsetjmp(out, 1)) {
        ualarm(1000, 0);
        for (;;) pause();
    }
    CHECK(deep(10) != 1);
    puts("done");
    raise(SIGUSR1);

    pid_t child = fork();
    if (child == 0) {
        signal(SIGTERM, gives_up);
        for (;;) pause();
    }
    usleep(20000);
    kill(child, SIGTERM);
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    return 0;
}
