// A condition that is told at the end of a thread does not order who does not wait for it.
// LEVELS: O1
// EXPECT: data race on `shared`
#include <condition_variable>
#include <mutex>
#include <thread>

#include "invisible.h"

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;
static int written;
static volatile int shared;

int main() {
    std::thread thread([] {
        std::unique_lock lock(mutex);
        ready = true;
        shared = 1;
        invisible_signal(&written);
        std::notify_all_at_thread_exit(condition, std::move(lock));
    });
    invisible_wait(&written, 1);
    shared = 2;
    {
        std::unique_lock lock(mutex);
        condition.wait(lock, [] { return ready; });
    }
    thread.join();
    return 0;
}
