// std::async is not ordered before its result is taken.
#include <future>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int launched, done;

int main() {
    shared = 1;
    std::future<int> result = std::async(std::launch::async, [] {
        // What launches may synchronize with what is launched, until it returns.
        invisible_wait(&launched, 1);
        shared = 2;
        invisible_signal(&done);
        return 5;
    });
    invisible_signal(&launched);
    invisible_wait(&done, 1);
    shared = 3;
    CHECK(result.get() == 5);
    return 0;
}
