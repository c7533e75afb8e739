// As its twin, but what is stated is stated before the access.
// EXPECT: data race on `data`
#include <goldilocks.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static volatile int data;

static void *reader(void *argument) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    GOLDILOCKS_SINK(&flag);
    data = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    GOLDILOCKS_SOURCE(&flag);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_join(thread, 0);
    return 0;
}
