// No race, no output.
// LEVELS: O1
#include <pthread.h>

static int shared;

static void *work(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return shared - 1;
}
