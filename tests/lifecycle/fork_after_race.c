// What the parent has found before a fork is the parent's: the child's exit status is its own, and so is its summary.
// RUN-EXIT: 66
// REPORTS: 1
// EXPECT: WARNING: Goldilocks: data race
// EXPECT: Goldilocks: 1 data race
// REJECT: (?s)Goldilocks: 1 data race.*Goldilocks: 1 data race
// STDOUT: ^children ended with 7 and 9$
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int shared;

static void *work(void *unused) {
    shared = 1;
    return unused;
}

static int status_of(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    pid_t first = fork();
    if (first == 0) _exit(7);
    int of_first = status_of(first);
    pid_t second = fork();
    if (second == 0) exit(9);
    printf("children ended with %d and %d\n", of_first, status_of(second));
    return 0;
}
