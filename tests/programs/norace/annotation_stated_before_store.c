// What is stated of an address stays there when an atomic at it is stored to, relaxed, in any of the three ways to state it.
#include <goldilocks.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_acquire(void *);
void __tsan_release(void *);
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateHappensAfter(const char *, int, const volatile void *);

static atomic_int flags[3];
static volatile int data[3];

static void *reader(void *argument) {
    for (int way = 0; way < 3; way++) {
        while (!atomic_load_explicit(&flags[way], memory_order_relaxed)) {
        }
        if (way == 0) GOLDILOCKS_SINK(&flags[way]);
        if (way == 1) __tsan_acquire(&flags[way]);
        if (way == 2) AnnotateHappensAfter(__FILE__, __LINE__, &flags[way]);
        data[way] = 2;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    for (int way = 0; way < 3; way++) {
        data[way] = 1;
        if (way == 0) GOLDILOCKS_SOURCE(&flags[way]);
        if (way == 1) __tsan_release(&flags[way]);
        if (way == 2) AnnotateHappensBefore(__FILE__, __LINE__, &flags[way]);
        atomic_store_explicit(&flags[way], 1, memory_order_relaxed);
    }
    pthread_join(thread, 0);
    return 0;
}
