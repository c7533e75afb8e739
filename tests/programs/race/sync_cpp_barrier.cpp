// What is done after a phase of std::barrier is not ordered by it.
// LIBCXX: static
#include <barrier>
#include <thread>

#include "invisible.h"

static volatile int shared, completed;
static int done;

struct Complete {
    void operator()() noexcept { completed = completed + 1; }
};

static std::barrier<Complete> barrier(2);

int main() {
    std::thread thread([] {
        barrier.arrive_and_wait();
        shared = 1;
        invisible_signal(&done);
        barrier.arrive_and_wait();
    });
    barrier.arrive_and_wait();
    invisible_wait(&done, 1);
    shared = 2;
    barrier.arrive_and_wait();
    thread.join();
    return completed != 2;
}
