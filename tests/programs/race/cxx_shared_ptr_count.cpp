// The same shared_ptr is copied and replaced: its count is atomic, the pointer is not.
// EXPECT: data race
#include <memory>
#include <thread>

#include "invisible.h"

struct Object {
    int value = 0;
    ~Object() { value = -1; }
};
std::shared_ptr<Object> object = std::make_shared<Object>();
static int copied;

int main() {
    std::thread other([] {
        for (int i = 0; i < 100; i++) std::shared_ptr<Object> copy = object;
        invisible_signal(&copied);
    });
    // Else what is copied might be gone.
    invisible_wait(&copied, 1);
    object = std::make_shared<Object>();
    other.join();
    return 0;
}
