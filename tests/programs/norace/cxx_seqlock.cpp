// A sequence lock whose data are relaxed atomics.
#include <atomic>
#include <thread>

#include "invisible.h"

static std::atomic<unsigned> sequence;
static std::atomic<long> data;
static int steps[2];

int main() {
    std::thread writer([] {
        sequence.fetch_add(1, std::memory_order_acquire);
        data.store(1, std::memory_order_relaxed);
        invisible_signal(&steps[0]);
        invisible_wait(&steps[1], 1);
        sequence.fetch_add(1, std::memory_order_release);
    });
    invisible_wait(&steps[0], 1);
    for (;;) {
        unsigned before = sequence.load(std::memory_order_acquire);
        long seen = data.load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before && seen == 1) break;
        invisible_signal(&steps[1]);
    }
    writer.join();
    return 0;
}
