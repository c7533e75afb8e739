// Destructors of thread_local variables are not ordered before the join.
#include <thread>

#include "invisible.h"

static volatile int shared;
static int done;

struct Local {
    int value = 0;
    ~Local() {
        shared = 1;
        invisible_signal(&done);
    }
};

static thread_local Local local;

int main() {
    std::thread thread([] { local.value = 1; });
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
