// A thread that waits for the initialization of a local static variable comes after it.
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int inside, done;

struct Slow {
    __attribute__((noinline)) Slow() {
        invisible_signal(&inside);
        invisible_pause(20);
        shared = 1;
    }
    ~Slow() {}
};

static void use() {
    static Slow slow;
    (void)slow;
}

static void *initializer(void *unused) {
    use();
    invisible_signal(&done);
    return unused;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, initializer, nullptr);
    invisible_wait(&inside, 1);
    use();
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, nullptr);
    return 0;
}
