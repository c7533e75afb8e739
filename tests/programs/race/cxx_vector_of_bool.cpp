// Neighbours in a vector of bool are bits of one word.
// EXPECT: data race
#include <thread>
#include <vector>

#include "invisible.h"

static int written;

int main() {
    std::vector<bool> flags(16);
    std::thread other([&] {
        flags[3] = true;
        invisible_signal(&written);
    });
    // Else one of the two might be lost.
    invisible_wait(&written, 1);
    flags[4] = true;
    other.join();
    return !flags[3];
}
