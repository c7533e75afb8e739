// Threads, locks, memory and static objects before main, all in order.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> words;

static void add(const char *word) {
    std::lock_guard<std::mutex> guard(lock);
    words.emplace_back(word);
}

static struct Early {
    std::thread thread{[] { add("a word that is too long for the string itself"); }};
    Early() { add("from a constructor"); }
    ~Early() {
        if (words.size() != 3) __builtin_abort();
    }
} early;

int main() {
    early.thread.join();
    add("from main");
    return words.size() == 3 ? 0 : 1;
}
