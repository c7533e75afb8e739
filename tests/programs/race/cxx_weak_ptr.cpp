// A weak_ptr that is locked while another thread assigns to it.
// EXPECT: data race
#include <memory>
#include <thread>

#include "check.h"

struct Object {
    int value = 7;
};

int main() {
    auto object = std::make_shared<Object>();
    std::weak_ptr<Object> weak = object;
    std::thread other([&weak] {
        if (auto locked = weak.lock()) CHECK(locked->value == 7);
    });
    weak.reset();
    object.reset();
    other.join();
    return 0;
}
