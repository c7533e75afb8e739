// What a thread-local destructor does belongs to its thread, also when it is the last thing that the thread does.
// EXPECT: Write of size 8 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 8 at
// EXPECT: ~Own
#include <pthread.h>

#include "invisible.h"

static int done;
static volatile long shared;

struct Own {
    volatile long used = 0;
    ~Own() {
        shared = 1;
        invisible_signal(&done);
    }
};
static thread_local Own own;

static void *work(void *unused) {
    own.used = 1;
    return unused;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, nullptr);
}
