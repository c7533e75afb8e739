// The barrier for tests forces a schedule, and orders nothing.
// EXPECT: data race on `data`
#include <pthread.h>

void __tsan_testonly_barrier_init(unsigned long long *, unsigned);
void __tsan_testonly_barrier_wait(unsigned long long *);
static unsigned long long barrier;
static volatile int data;

static void *first(void *argument) {
    for (int round = 0; round < 100; round++) __tsan_testonly_barrier_wait(&barrier);
    data = 1;
    __tsan_testonly_barrier_wait(&barrier);
    return argument;
}

int main(void) {
    pthread_t thread;
    __tsan_testonly_barrier_init(&barrier, 2);
    pthread_create(&thread, 0, first, 0);
    for (int round = 0; round < 101; round++) __tsan_testonly_barrier_wait(&barrier);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
