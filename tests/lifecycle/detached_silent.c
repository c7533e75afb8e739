// Detached threads hand over by a lock; the last one wakes the main thread. Some still end while the process does.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left = 50;
static long shared;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared++;
    if (--left == 0) pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &detached, work, 0)) return 2;
    }
    pthread_attr_destroy(&detached);
    pthread_mutex_lock(&lock);
    while (left) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return shared == 50 ? 0 : 1;
}
