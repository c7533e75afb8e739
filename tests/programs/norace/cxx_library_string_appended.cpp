// Threads append to a string under a lock.
#include <mutex>
#include <string>
#include <thread>

static std::string text, more = "abc";
static std::mutex mutex;

static void append() {
    for (int i = 0; i < 100; i++) {
        std::lock_guard lock(mutex);
        text.append(more);
        text += 'd';
        text.insert(0, "e");
    }
}

int main() {
    std::thread one(append), other(append);
    one.join();
    other.join();
    if (text.size() != 1000 || text.find("abcd") != 200) __builtin_trap();
    return 0;
}
