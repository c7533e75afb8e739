// Who tries to take a mutex in vain, and then has a fence, is not ordered after what its holder does meanwhile. That has taken it back, so that all it has done is one
// sync epoch.
// REPORTS: 1
// EXPECT: data race on `late`
#include "invisible.h"
#include "lock_word.h"
#include <pthread.h>

static uint32_t mutex;
int late;
static int early, turn;

static void *other(void *unused) {
    (void)unused;
    invisible_wait(&turn, 1);
    int is_taken = tries(&mutex, 0, 1, MUTEX);
    atomic_thread_fence(memory_order_acquire);
    late = is_taken;
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int i = 0; i < 3; i++) {
        takes_mutex(&mutex);
        early++;
        if (i == 2) {
            late = 1;
            invisible_signal(&turn);
            invisible_wait(&turn, 2);
        }
        gives_mutex(&mutex);
    }
    pthread_join(thread, 0);
    return 0;
}
