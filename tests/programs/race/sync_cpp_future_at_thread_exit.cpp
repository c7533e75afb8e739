// A value that is set at the end of a thread does not order what comes before it is got.
// LEVELS: O1
// EXPECT: data race on `shared`
#include <future>
#include <string>
#include <thread>

#include "check.h"

static volatile int shared;

int main() {
    for (int i = 0; i < 50; i++) {
        std::promise<std::string> promise;
        auto future = promise.get_future();
        std::thread thread([promise = std::move(promise)]() mutable {
            shared = 1;
            promise.set_value_at_thread_exit("a text that is too long to be kept in place");
        });
        shared = 2;
        CHECK(future.get()[0] == 'a');
        thread.join();
    }
    return 0;
}
