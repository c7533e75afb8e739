// The one thread that a barrier names does something after it, and the others do not wait for that.
// EXPECT: data race on `value`
#include <pthread.h>

int value;
static pthread_barrier_t barrier;

static void *work(void *unused) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) value = 1;
    return value ? unused : &value;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, 0, 3);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
