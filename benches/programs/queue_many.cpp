// A bounded queue of numbers without locks, from which and to which all threads go: each slot says whose turn it is.
// ARGS: 800000
// QUICK: 150000
// SMOKE: 1000
// THREADS: 4
#include "workload.h"
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

struct Slot {
    std::atomic<unsigned long> turn;
    unsigned long number;
};

class Queue {
    static constexpr unsigned long SIZE = 128;
    std::array<Slot, SIZE> slots_;
    alignas(64) std::atomic<unsigned long> head_{0};
    alignas(64) std::atomic<unsigned long> tail_{0};

    static void wait_for(Slot &slot, unsigned long turn) {
        while (slot.turn.load(std::memory_order_acquire) != turn) std::this_thread::yield();
    }

public:
    Queue() {
        for (unsigned long i = 0; i < SIZE; i++) slots_[i].turn.store(i, std::memory_order_relaxed);
    }
    void push(unsigned long number) {
        unsigned long ticket = tail_.fetch_add(1, std::memory_order_relaxed);
        Slot &slot = slots_[ticket % SIZE];
        wait_for(slot, ticket);
        slot.number = number;
        slot.turn.store(ticket + 1, SEEDED ? std::memory_order_relaxed : std::memory_order_release);
    }
    unsigned long pop() {
        unsigned long ticket = head_.fetch_add(1, std::memory_order_relaxed);
        Slot &slot = slots_[ticket % SIZE];
        wait_for(slot, ticket + 1);
        unsigned long number = slot.number;
        slot.turn.store(ticket + SIZE, std::memory_order_release);
        return number;
    }
};

static Queue queue;
static long items;

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long i = 0; i < items; i++)
        if (me & 1) sum += queue.pop();
        else queue.push(static_cast<unsigned long>(i * me));
    return sum;
}

int main(int count, char **arguments) {
    items = size_argument(count, arguments);
    std::printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
