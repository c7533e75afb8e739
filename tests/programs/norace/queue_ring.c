// A ring with one producer and one consumer.
#include <pthread.h>
#include <sched.h>

enum { SIZE = 8, COUNT = 200 };
static int ring[SIZE];
static unsigned first, last;
#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define STORE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELEASE)

static void *produce(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        while (LOAD(last) - LOAD(first) == SIZE) sched_yield();
        ring[LOAD(last) % SIZE] = i;
        STORE(last, LOAD(last) + 1);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        while (LOAD(last) == LOAD(first)) sched_yield();
        wrong |= ring[LOAD(first) % SIZE] != i;
        STORE(first, LOAD(first) + 1);
    }
    pthread_join(thread, 0);
    return wrong;
}
