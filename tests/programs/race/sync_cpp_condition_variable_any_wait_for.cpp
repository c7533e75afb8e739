// wait_for of std::condition_variable_any orders nothing for a thread that did not use the mutex.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"
#include "invisible.h"

static std::mutex mutex;
static std::condition_variable_any condition;
static volatile int shared;
static int waiting, done;

int main() {
    std::thread thread([] {
        invisible_wait(&waiting, 1);
        shared = 1;
        invisible_signal(&done);
    });
    {
        std::unique_lock lock(mutex);
        invisible_signal(&waiting);
        do {
            CHECK(condition.wait_for(lock, std::chrono::milliseconds(20)) == std::cv_status::timeout);
        } while (invisible_count(&done) == 0);
        shared = 2;
    }
    thread.join();
    return 0;
}
