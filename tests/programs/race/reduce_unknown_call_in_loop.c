// A loop calls a function that it does not know, which unlocks a mutex; what is written after that is not ordered by it.
// EXPECT: Read of size 4 at
// EXPECT: Earlier write of size 4 at
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

enum { ROUNDS = 100, ACQUIRED = 49, READ = 60 };
static int array[ROUNDS];
static pthread_mutex_t mutexes[ROUNDS];
static volatile int sink;

static void lock_and_unlock(int number) {
    pthread_mutex_lock(&mutexes[number]);
    pthread_mutex_unlock(&mutexes[number]);
}

static void (*volatile publish)(int) = lock_and_unlock;

static void first(void) {
    for (int i = 0; i < ROUNDS; i++) {
        array[i] = i;
        publish(i);
    }
}

static void second(void) {
    lock_and_unlock(ACQUIRED);
    sink = array[READ];
}
