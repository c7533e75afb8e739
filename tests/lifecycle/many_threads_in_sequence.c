// Five thousand threads, one after the other: numbers and stacks are used again, and nothing of the old ones shows.
// LEVELS: O1
#include <pthread.h>

static long shared[16];

static void *work(void *unused) {
    long local[16] = {0};
    for (int i = 0; i < 16; i++) local[i] = shared[i] += i;
    return local[1] ? unused : (void *)1;
}

int main(void) {
    for (int i = 0; i < 5000; i++) {
        pthread_t thread;
        void *failed;
        if (pthread_create(&thread, 0, work, 0)) return 2;
        pthread_join(thread, &failed);
        if (failed) return 1;
    }
    return shared[1] == 5000 ? 0 : 1;
}
