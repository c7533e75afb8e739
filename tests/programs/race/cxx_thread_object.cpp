// A thread writes the variable that its creator puts it into.
// EXPECT: data race
#include <thread>

#include "check.h"

int main() {
    std::thread::id seen, *place = new std::thread::id;
    std::thread other([&] { *place = std::this_thread::get_id(); });
    *place = other.get_id();
    other.join();
    CHECK(*place != std::this_thread::get_id());
    delete place;
    return 0;
}
