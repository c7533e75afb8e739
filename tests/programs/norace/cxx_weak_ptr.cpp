// A weak_ptr of each thread's own is locked while the object ends.
#include <memory>
#include <thread>

#include "check.h"

struct Object {
    int value = 7;
};

int main() {
    auto object = std::make_shared<Object>();
    std::weak_ptr<Object> weak = object;
    std::thread other([weak] {
        if (auto locked = weak.lock()) CHECK(locked->value == 7);
    });
    object.reset();
    other.join();
    return 0;
}
