// std::async runs after its call, and its result comes after all it did.
#include <future>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    shared = 1;
    std::future<int> result = std::async(std::launch::async, [] {
        shared = 2;
        invisible_signal(&done);
        return 5;
    });
    invisible_wait(&done, 1);
    CHECK(result.get() == 5);
    shared = 3;
    return 0;
}
