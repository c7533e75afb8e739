// Copies of a shared_ptr of each thread's own, and the last one ends the object.
#include <memory>
#include <thread>

#include "check.h"

struct Object {
    int value = 0;
    ~Object() { value = -1; }
};
static std::shared_ptr<Object> object = std::make_shared<Object>();

int main() {
    std::thread other([copy = object]() mutable {
        for (int i = 0; i < 100; i++) std::shared_ptr<Object> again = copy;
        CHECK(copy->value == 0);
        copy.reset();
    });
    object.reset();
    other.join();
    return 0;
}
