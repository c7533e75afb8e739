// A thread is put into a variable that only its creator uses.
#include <thread>

#include "check.h"

int main() {
    std::thread::id seen, *place = new std::thread::id;
    std::thread other([&] { *place = std::this_thread::get_id(); });
    seen = other.get_id();
    other.join();
    CHECK(*place != std::this_thread::get_id());
    delete place;
    return 0;
}
