// What is done after the unlock is not ordered by a wait with std::condition_variable.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"
#include "invisible.h"

static std::mutex mutex;
static std::condition_variable condition;
static volatile int shared, ready;
static int waiting, done;

int main() {
    std::thread thread([] {
        invisible_wait(&waiting, 1);
        {
            std::lock_guard lock(mutex);
            ready = 1;
            condition.notify_one();
        }
        shared = 1;
        invisible_signal(&done);
    });
    {
        std::unique_lock lock(mutex);
        invisible_signal(&waiting);
        condition.wait(lock, [] { return ready != 0; });
    }
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
