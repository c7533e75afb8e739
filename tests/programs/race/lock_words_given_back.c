// The memory of a lock is used for something else while another one may take the lock, or has.
// REPORTS: 2
// EXPECT: data race on `mutex`
// EXPECT: data race on `rwlock`
#include "invisible.h"
#include "lock_word.h"
#include <pthread.h>

uint32_t mutex, rwlock;
static int turn;

static void *other(void *unused) {
    (void)unused;
    takes_mutex(&mutex);
    gives_mutex(&mutex);
    takes_to_read(&rwlock);
    gives(&rwlock, 1);
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    invisible_wait(&turn, 1);
    mutex = 7;
    rwlock = 7;
    pthread_join(thread, 0);
    return 0;
}
