// Detached std::threads are ordered by a mutex.
#include <mutex>
#include <thread>

#include "invisible.h"

static std::mutex mutex;
static volatile int shared;
static int done;

int main() {
    std::thread([] {
        mutex.lock();
        shared = 1;
        mutex.unlock();
        invisible_signal(&done);
    }).detach();
    invisible_wait(&done, 1);
    mutex.lock();
    shared = 2;
    mutex.unlock();
    return 0;
}
