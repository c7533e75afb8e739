// Locks in blocks of the heap that are freed without a destruction; their addresses become those of other locks.
#include <memory>
#include <mutex>
#include <thread>

#include "invisible.h"

static std::mutex fixed;
static int step;

struct Node {
    std::mutex mutex;
    char more[40];
};

static void nest(std::mutex &first, std::mutex &second) {
    std::lock_guard<std::mutex> outer(first), inner(second);
}

int main() {
    std::thread one([] {
        for (int i = 0; i < 100; i++) nest(fixed, std::make_unique<Node>()->mutex);
        invisible_signal(&step);
        invisible_wait(&step, 2);
    });
    std::thread two([] {
        invisible_wait(&step, 1);
        for (int i = 0; i < 100; i++) nest(std::make_unique<Node>()->mutex, fixed);
        invisible_signal(&step);
    });
    one.join();
    two.join();
    for (int i = 0; i < 100; i++) {
        auto here = std::make_unique<Node>();
        std::thread([&] { nest(fixed, here->mutex); }).join();
        here.reset();
        here = std::make_unique<Node>();
        std::thread([&] { nest(here->mutex, fixed); }).join();
    }
    return 0;
}
