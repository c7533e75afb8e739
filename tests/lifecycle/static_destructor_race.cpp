// The destructor of a static object races with a thread that nobody has joined.
// EXPECT: Write of size 8 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 8 at
#include <pthread.h>

#include "invisible.h"

static int done;

struct Counter {
    volatile long value = 0;
    ~Counter() { value = -1; }
};
static Counter counter;

static void *left_behind(void *unused) {
    counter.value = 1;
    invisible_signal(&done);
    return unused;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, left_behind, nullptr);
    invisible_wait(&done, 1);
}
