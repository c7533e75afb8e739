// A detached std::thread is ordered by nothing.
#include <thread>

#include "invisible.h"

static volatile int shared;
static int done;

int main() {
    std::thread([] {
        shared = 1;
        invisible_signal(&done);
    }).detach();
    invisible_wait(&done, 1);
    shared = 2;
    return 0;
}
