// What is done after a std::packaged_task is not ordered by its result.
#include <future>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    std::packaged_task<int()> task([]() -> int {
        throw std::runtime_error("expected");
    });
    std::future<int> result = task.get_future();
    std::thread thread([&task] {
        task();
        shared = 1;
        invisible_signal(&done);
    });
    try {
        result.get();
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
