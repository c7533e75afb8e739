// Waiting for a std::latch comes after those who have counted it down.
// LIBCXX: static
#include <latch>
#include <thread>

#include "invisible.h"

static std::latch latch(1);
static volatile int shared;
static int done;

int main() {
    std::thread thread([] {
        shared = 1;
        latch.count_down();
        invisible_signal(&done);
    });
    latch.wait();
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
