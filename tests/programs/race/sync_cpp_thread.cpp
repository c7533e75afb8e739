// Before join, a std::thread is not ordered.
#include <thread>

#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    shared = 1;
    std::thread thread([] {
        shared = 2;
        invisible_signal(&done);
    });
    invisible_wait(&done, 1);
    shared = 3;
    thread.join();
    return 0;
}
