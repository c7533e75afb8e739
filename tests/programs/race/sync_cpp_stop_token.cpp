// What is done after a stop request is not ordered by it.
// LIBCXX: static
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "check.h"
#include "invisible.h"

static std::mutex mutex;
static std::condition_variable_any condition;
static volatile int shared;
static int waiting, done;

int main() {
    std::stop_source source;
    std::thread thread([token = source.get_token()] {
        {
            std::unique_lock lock(mutex);
            invisible_signal(&waiting);
            CHECK(!condition.wait(lock, token, [] { return false; }));
        }
        invisible_wait(&done, 1);
        shared = 2;
    });
    invisible_wait(&waiting, 1);
    source.request_stop();
    shared = 1;
    invisible_signal(&done);
    thread.join();
    return 0;
}
