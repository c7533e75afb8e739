// A std::function is replaced when nobody calls it.
#include <functional>
#include <mutex>
#include <thread>

static std::function<int()> function = [] { return 1; };
static std::mutex mutex;

int main() {
    std::thread other([] {
        std::lock_guard lock(mutex);
        if (function() < 1) __builtin_trap();
    });
    {
        std::lock_guard lock(mutex);
        function = [] { return 2; };
    }
    other.join();
    return 0;
}
