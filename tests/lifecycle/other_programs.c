// Starting other programs by every way there is, with threads around.
// LEVELS: O1
// STDOUT: ^one$
// STDOUT: ^two$
// STDOUT: ^three$
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile long shared;

static void *work(void *unused) {
    for (int i = 0; i < 1000; i++) shared++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (system("echo one")) return 1;
    pid_t pid;
    char *arguments[] = {"echo", "two", 0};
    if (posix_spawnp(&pid, "echo", 0, 0, arguments, environ)) return 2;
    waitpid(pid, 0, 0);
    pid = vfork();
    if (pid == 0) {
        execlp("echo", "echo", "three", (char *)0);
        _exit(127);
    }
    waitpid(pid, 0, 0);
    pthread_join(thread, 0);
    return shared == 1000 ? 0 : 3;
}
