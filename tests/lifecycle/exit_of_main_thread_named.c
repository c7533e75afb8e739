// The main thread has ended when the race comes: what the first thread of a process has in /proc is gone, and names are found all the same.
// LEVELS: O1
// RUN-EXIT: 66
// EXPECT: data race on `shared`
// EXPECT: Write of size 4 .* by thread T1.*\n +#0 work .*exit_of_main_thread_named\.c:20\b
// EXPECT: Earlier write of size 4 .* by main thread T0.*\n +#0 main .*exit_of_main_thread_named\.c:27\b
// EXPECT: Location: global `shared` of size 4
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int shared;

static void *work(void *unused) {
    // The link is there as long as the first thread is.
    char path[8];
    char program[64];
    snprintf(program, sizeof(program), "/proc/%d/exe", getpid());
    while (readlink(program, path, sizeof(path)) > 0) usleep(1000);
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared = 2;
    pthread_exit(0);
}
