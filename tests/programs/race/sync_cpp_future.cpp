// What is done after std::promise::set_value is not ordered by std::future::get.
#include <future>
#include <thread>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        promise.set_value(5);
        shared = 1;
        invisible_signal(&done);
    });
    CHECK(future.get() == 5);
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
