// std::thread::join comes after the thread, and the thread after its creation.
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
    thread.join();
    shared = 3;
    return 0;
}
