// A sequence lock whose data are plain: a reader that has to try again has raced.
// EXPECT: data race on `data`
#include <atomic>
#include <thread>

#include "invisible.h"

static std::atomic<unsigned> sequence;
long data;
static int steps[2];

int main() {
    std::thread writer([] {
        sequence.fetch_add(1, std::memory_order_acquire);
        data = 1;
        invisible_signal(&steps[0]);
        invisible_wait(&steps[1], 1);
        sequence.fetch_add(1, std::memory_order_release);
    });
    invisible_wait(&steps[0], 1);
    for (;;) {
        unsigned before = sequence.load(std::memory_order_acquire);
        long seen = data;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before && seen == 1) break;
        invisible_signal(&steps[1]);
    }
    writer.join();
    return 0;
}
