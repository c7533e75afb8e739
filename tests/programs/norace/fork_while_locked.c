// The child of a fork while another thread holds a lock does not use that, and has threads and locks of its own.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

int value;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, fine = PTHREAD_MUTEX_INITIALIZER;
static int steps[2];

static void *holder(void *unused) {
    pthread_mutex_lock(&held);
    value = 1;
    invisible_signal(&steps[0]);
    invisible_wait(&steps[1], 1);
    pthread_mutex_unlock(&held);
    return unused;
}
static void *child(void *unused) {
    pthread_mutex_lock(&fine);
    value++;
    pthread_mutex_unlock(&fine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, holder, 0);
    invisible_wait(&steps[0], 1);
    pid_t pid = fork();
    if (pid == 0) {
        pthread_t own;
        CHECK(pthread_create(&own, 0, child, 0) == 0);
        pthread_mutex_lock(&fine);
        value++;
        pthread_mutex_unlock(&fine);
        pthread_join(own, 0);
        return 0;
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    invisible_signal(&steps[1]);
    pthread_join(thread, 0);
    return WEXITSTATUS(status);
}
