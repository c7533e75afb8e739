// A pointer is looked at without the lock and without an atomic.
// EXPECT: data race on
#include <atomic>
#include <mutex>
#include <thread>

struct Thing {
    int value = 3;
};
Thing *thing;
static std::mutex mutex;

static Thing *get() {
    Thing *seen = thing;
    if (!seen) {
        std::lock_guard lock(mutex);
        seen = thing;
        if (!seen) thing = seen = new Thing;
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
