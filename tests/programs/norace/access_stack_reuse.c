// Threads one after the other run on the same stack memory: what the next one does there has nothing to do with the
// accesses of the one before, though nothing but their creation orders them.
#include <pthread.h>

static void *work(void *unused) {
    volatile int frame[1000];
    for (int i = 0; i < 1000; i++) frame[i] = i;
    return unused;
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
