// What is done after a phase of std::barrier is not ordered by it.
// LIBCXX: static
#include <barrier>
#include <thread>

#include "invisible.h"

static volatile int shared, completed;
// The library looks at atomics of the barrier after its phase is over, too: what is released there meanwhile orders what comes later.
static int left, done;

struct Complete {
    void operator()() noexcept { completed = completed + 1; }
};

static std::barrier<Complete> barrier(2);

int main() {
    std::thread thread([] {
        barrier.arrive_and_wait();
        invisible_wait(&left, 1);
        shared = 1;
        invisible_signal(&done);
        barrier.arrive_and_wait();
    });
    barrier.arrive_and_wait();
    invisible_signal(&left);
    invisible_wait(&done, 1);
    shared = 2;
    barrier.arrive_and_wait();
    thread.join();
    return completed != 2;
}
