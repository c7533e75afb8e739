// Shared pointers are copied and dropped by all threads, from a list that a lock guards.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 100
// THREADS: 2
#include "workload.h"
#include <array>
#include <memory>
#include <mutex>

struct Page {
    std::array<int, 16> words{};
};
static std::array<std::shared_ptr<const Page>, 64> pages;
static std::mutex lock;
static long rounds;

// Whatever page somebody has, one of its words is 1.
static std::shared_ptr<const Page> fresh(unsigned which) {
    auto page = std::make_shared<Page>();
    page->words[which] = 1;
    return page;
}

static unsigned long work(int me) {
    unsigned state = 9 + unsigned(me);
    unsigned long sum = 0;
    std::array<std::shared_ptr<const Page>, 8> held;
    // Seeded: the list is looked at before its lock is taken.
    if (SEEDED) sum += pages[0] != nullptr;
    for (long i = 0; i < rounds; i++) {
        unsigned which = next_number(&state);
        auto &mine = held[which % held.size()];
        if (i % 16 == 0) {
            auto page = fresh(which % 16);
            std::lock_guard guard(lock);
            pages[SEEDED ? 0 : which / 16 % pages.size()] = page;
        } else {
            std::lock_guard guard(lock);
            mine = pages[which / 16 % pages.size()];
        }
        auto again = mine;
        if (again)
            for (int word : again->words) sum += static_cast<unsigned long>(word);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (auto &page : pages) page = fresh(0);
    std::printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
