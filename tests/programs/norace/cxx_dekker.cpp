// Two flags that keep threads apart, sequentially consistent.
#include <atomic>
#include <thread>

#include "invisible.h"

static std::atomic<int> wants[2];
int inside;
static int step;

constexpr auto order = std::memory_order_seq_cst;

int main() {
    std::thread other([] {
        wants[1].store(1, order);
        if (!wants[0].load(order)) inside++;
        wants[1].store(0, order);
        invisible_signal(&step);
    });
    invisible_wait(&step, 1);
    wants[0].store(1, order);
    if (!wants[1].load(order)) inside++;
    wants[0].store(0, order);
    other.join();
    return inside != 2;
}
