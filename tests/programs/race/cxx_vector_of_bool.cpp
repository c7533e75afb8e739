// Neighbours in a vector of bool are bits of one word.
// EXPECT: data race
#include <thread>
#include <vector>

int main() {
    std::vector<bool> flags(16);
    std::thread other([&] { flags[3] = true; });
    flags[4] = true;
    other.join();
    return !flags[3];
}
