// Neighbours in a vector of char are bytes.
#include <thread>
#include <vector>

int main() {
    std::vector<char> flags(16);
    std::thread other([&] { flags[3] = true; });
    flags[4] = true;
    other.join();
    return !flags[3];
}
