// A pointer is looked at without the lock, by an acquire.
#include <atomic>
#include <mutex>
#include <thread>

struct Thing {
    int value = 3;
};
static std::atomic<Thing *> thing;
static std::mutex mutex;

static Thing *get() {
    Thing *seen = thing.load(std::memory_order_acquire);
    if (!seen) {
        std::lock_guard lock(mutex);
        seen = thing.load(std::memory_order_relaxed);
        if (!seen) {
            seen = new Thing;
            thing.store(seen, std::memory_order_release);
        }
    }
    return seen;
}

int main() {
    std::thread other([] {
        if (get()->value != 3) __builtin_trap();
    });
    if (get()->value != 3) __builtin_trap();
    other.join();
    return 0;
}
