// What is done after the release of a std::counting_semaphore is not ordered by it.
// LIBCXX: static
#include <semaphore>
#include <thread>

#include "invisible.h"

static std::counting_semaphore<8> semaphore(0);
static volatile int shared;
static int done;

int main() {
    std::thread thread([] {
        semaphore.release();
        shared = 1;
        invisible_signal(&done);
    });
    semaphore.acquire();
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
