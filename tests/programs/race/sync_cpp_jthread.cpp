// A std::jthread that was asked to stop has not been joined yet.
// LIBCXX: static
#include <thread>

#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    {
        std::jthread thread([](std::stop_token stop) {
            while (!stop.stop_requested()) std::this_thread::yield();
            shared = 1;
            invisible_signal(&done);
        });
        thread.request_stop();
        invisible_wait(&done, 1);
        shared = 2;
    }
    return 0;
}
