// Two races through one function of a library have names of their own, by where the program calls it from. Names stay what they are: users
// keep them.
// LEVELS: O1 O2
// REPORTS: 2
// EXPECT: race-ff170433 .* orders  1 time
// EXPECT: race-9661e1d2 .* prices  1 time
#include <thread>
#include <vector>

static std::vector<int> *const ordered = new std::vector<int>(9), *const priced = new std::vector<int>(9);

__attribute__((noinline)) static void orders() { ordered->pop_back(); }
__attribute__((noinline)) static void prices() { priced->pop_back(); }

static void both() { orders(), prices(); }

int main() {
    std::thread thread(both);
    both();
    thread.join();
    return 0;
}
