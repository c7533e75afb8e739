// How the variable's ownership travelled is told even where the verdict took so many events that they have been evaluated.
// LEVELS: O1
// REPORTS: 1
// EXPECT: Ownership since T1's write[^\n]*\n *\{T1\} [^\n]*\n *\{T1, first_told\} *T1 released first_told[^\n]*\n *\{T1, first_told, T2\} *T2 acquired first_told
// EXPECT: T2 released second_told
// EXPECT: help: T0 has read second_told relaxed, which orders nothing
#include <atomic>
#include <sched.h>
#include <thread>

#include "invisible.h"

static volatile int shared;
std::atomic<int> first_told, second_told;
static std::atomic<int> others[4096];
static int stage;

int main() {
    std::thread first([] {
        shared = 1;
        first_told.store(1, std::memory_order_release);
        invisible_wait(&stage, 1);
    });
    std::thread second([] {
        while (!first_told.load(std::memory_order_acquire)) sched_yield();
        second_told.store(1, std::memory_order_release);
        invisible_wait(&stage, 1);
    });
    while (!second_told.load(std::memory_order_relaxed)) sched_yield();
    std::thread third([] {
        for (auto &other : others) other.fetch_add(1, std::memory_order_acq_rel);
        invisible_signal(&stage);
    });
    invisible_wait(&stage, 1);
    shared = 2;
    first.join();
    second.join();
    third.join();
}
