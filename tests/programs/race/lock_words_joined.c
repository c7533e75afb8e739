// A thread that holds a lock for reading, as it has before, writes; another one joins it by an atomic that nobody knows to be of a lock, and writes as well.
// REPORTS: 1
// EXPECT: data race on `late`
#include "invisible.h"
#include "lock_word.h"
#include <pthread.h>

static uint32_t rwlock;
int late;
static int early, turn;

static void *other(void *unused) {
    (void)unused;
    invisible_wait(&turn, 1);
    takes_to_read_unknown(&rwlock);
    late = 2;
    gives_unknown(&rwlock, 1);
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int i = 0; i < 3; i++) {
        takes_to_read(&rwlock);
        early++;
        if (i == 2) {
            late = 1;
            invisible_signal(&turn);
            invisible_wait(&turn, 2);
        }
        gives(&rwlock, 1);
    }
    pthread_join(thread, 0);
    return 0;
}
