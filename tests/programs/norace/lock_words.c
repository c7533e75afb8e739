// Mutexes and rwlocks by operations that are known to be of locks, and by atomics on the same words, by turns: each takes what the other has given.
// RUNS: 5
#include "lock_word.h"
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 3000 };
static uint32_t mutex, rwlock;
static long under_mutex, under_rwlock, seen[4];

static void *work(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        takes_mutex(&mutex);
        under_mutex++;
        gives_mutex(&mutex);
        int is_known = (round + me) % 3 != 0;
        if (round % 4 == 0) {
            (is_known ? takes_to_write : takes_to_write_unknown)(&rwlock);
            under_rwlock++;
            for (int i = 0; i < 4; i++) seen[i] = 0;
            (round % 8 == 0 ? gives : gives_unknown)(&rwlock, WRITER);
        } else {
            (is_known ? takes_to_read : takes_to_read_unknown)(&rwlock);
            assert(under_rwlock >= 0);
            // Its own; what writers find there they have to take from whoever has read.
            seen[me]++;
            (round % 8 < 4 ? gives : gives_unknown)(&rwlock, 1);
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    assert(under_mutex == 4 * ROUNDS && under_rwlock == 4 * ROUNDS / 4);
    return 0;
}
