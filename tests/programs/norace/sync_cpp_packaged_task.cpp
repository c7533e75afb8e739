// The result of a std::packaged_task, also an exception, comes after the task.
#include <future>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    std::packaged_task<int()> task([]() -> int {
        shared = 1;
        throw std::runtime_error("expected");
    });
    std::future<int> result = task.get_future();
    std::thread thread([&task] {
        task();
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
