// A child goes on with the locks of its parent: those that its thread had locked before the fork it unlocks, locks that other
// threads held it initializes again.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, others = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t reading = PTHREAD_RWLOCK_INITIALIZER;
static int step;

static void before(void) { CHECK(pthread_mutex_lock(&mine) == 0); }
static void after(void) { CHECK(pthread_mutex_unlock(&mine) == 0); }

static void *holder(void *unused) {
    CHECK(pthread_mutex_lock(&others) == 0);
    invisible_signal(&step);
    invisible_wait(&step, 2);
    CHECK(pthread_mutex_unlock(&others) == 0);
    return unused;
}

int main(void) {
    CHECK(pthread_atfork(before, after, after) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, holder, 0) == 0);
    invisible_wait(&step, 1);
    CHECK(pthread_rwlock_rdlock(&reading) == 0);
    pid_t child = fork();
    if (child == 0) {
        CHECK(pthread_rwlock_unlock(&reading) == 0);
        CHECK(pthread_rwlock_wrlock(&reading) == 0);
        CHECK(pthread_rwlock_unlock(&reading) == 0);
        CHECK(pthread_mutex_lock(&mine) == 0);
        CHECK(pthread_mutex_unlock(&mine) == 0);
        CHECK(pthread_mutex_init(&others, 0) == 0);
        CHECK(pthread_mutex_lock(&others) == 0);
        CHECK(pthread_mutex_unlock(&others) == 0);
        CHECK(pthread_mutex_destroy(&others) == 0);
        CHECK(pthread_create(&thread, 0, (void *(*)(void *))(void *)getpid, 0) == 0);
        CHECK(pthread_join(thread, 0) == 0);
        return 0;
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(pthread_rwlock_unlock(&reading) == 0);
    invisible_signal(&step);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
