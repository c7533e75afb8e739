// A signal handler that comes while synchronization is ignored releases as ever; and what is ignored is so again when a handler has returned.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

void AnnotateIgnoreSyncBegin(const char *, int);
void AnnotateIgnoreSyncEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
static atomic_int ready, inside, done;
static volatile int data, ignored;

static void handler(int signal) {
    if (signal == SIGUSR1) data = 1;
    atomic_fetch_add_explicit(&ready, 1, memory_order_release);
}

static void waits_for(int step) {
    atomic_store_explicit(&inside, step, memory_order_relaxed);
    while (atomic_load_explicit(&done, memory_order_relaxed) < step) {
    }
}

static void *waits(void *argument) {
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    waits_for(1);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    waits_for(2);
    ignored = 1;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return argument;
}

static void interrupt(pthread_t thread, int signal, int step) {
    while (atomic_load_explicit(&inside, memory_order_relaxed) < step) {
    }
    pthread_kill(thread, signal);
    while (atomic_load_explicit(&ready, memory_order_acquire) < step) {
    }
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    pthread_create(&thread, 0, waits, 0);
    interrupt(thread, SIGUSR1, 1);
    int seen = data;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    interrupt(thread, SIGUSR2, 2);
    ignored = 2;
    atomic_store_explicit(&done, 2, memory_order_relaxed);
    pthread_join(thread, 0);
    return seen != 1;
}
