// What a signal handler writes that comes while writes are ignored.
// EXPECT: data race on `data`
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
static atomic_int ready, inside, done;
static volatile int data;

static void handler(int signal) {
    (void)signal;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static void *waits(void *argument) {
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&done, memory_order_relaxed)) {
    }
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return argument;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, waits, 0);
    while (!atomic_load_explicit(&inside, memory_order_relaxed)) {
    }
    pthread_kill(thread, SIGUSR1);
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
    }
    int seen = data;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    pthread_join(thread, 0);
    return seen == 7;
}
