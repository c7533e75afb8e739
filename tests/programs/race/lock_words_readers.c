// Two that hold a lock for reading, one after the other, write: the lock does not order them.
// REPORTS: 1
// EXPECT: data race on `common`
#include "invisible.h"
#include "lock_word.h"
#include <pthread.h>

static uint32_t rwlock;
int common;
static int turn;

static void *reader(void *unused) {
    (void)unused;
    takes_to_read(&rwlock);
    common++;
    gives(&rwlock, 1);
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    invisible_wait(&turn, 1);
    takes_to_read(&rwlock);
    common++;
    gives(&rwlock, 1);
    pthread_join(thread, 0);
    return 0;
}
