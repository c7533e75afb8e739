// The scopes as objects.
#include "invisible.h"
#include <goldilocks.h>
#include <thread>

static volatile int data;
static int step;

int main() {
    std::thread thread([] {
        goldilocks::ignore_writes scope;
        data = 1;
        invisible_signal(&step);
    });
    invisible_wait(&step, 1);
    data = 2;
    thread.join();
    return 0;
}
