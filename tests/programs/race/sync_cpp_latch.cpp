// What is done after counting down a std::latch is not ordered by it.
// LIBCXX: static
#include <latch>
#include <thread>

#include "invisible.h"

static std::latch latch(1);
static volatile int shared;
static int done;

int main() {
    std::thread thread([] {
        latch.count_down();
        shared = 1;
        invisible_signal(&done);
    });
    latch.wait();
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
