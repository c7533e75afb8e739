// What is overwritten leaves the set, and the table of ownership says by whom; positions are those of the program, not of <atomic>.
// LEVELS: O1
// REPORTS: 1
// EXPECT: \{T1, told\} *T1 released told *\S*report_overwritten.cpp:18\n *\{T1, told, T2\} *T2 acquired told *\S*report_overwritten.cpp:23\n *\{T1, T2\} *T2 overwrote told *\S*report_overwritten.cpp:24
#include <atomic>
#include <sched.h>
#include <thread>

#include "invisible.h"

static volatile int shared;
std::atomic<int> told;
static int stage;

int main() {
    std::thread first([] {
        shared = 1;
        told.store(1, std::memory_order_release);
        invisible_wait(&stage, 1);
    });
    std::thread second([] {
        // Once: a load that finds nothing is no step.
        while (!told.load(std::memory_order_acquire)) sched_yield();
        told.store(2, std::memory_order_relaxed);
        invisible_signal(&stage);
        invisible_wait(&stage, 2);
    });
    invisible_wait(&stage, 1);
    shared = 2;
    invisible_signal(&stage);
    first.join();
    second.join();
}
