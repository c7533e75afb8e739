// Acquiring a std::counting_semaphore comes after its release.
// LIBCXX: static
#include <semaphore>
#include <thread>

#include "invisible.h"

static std::counting_semaphore<8> semaphore(0);
static volatile int shared;
static int done;

int main() {
    std::thread thread([] {
        shared = 1;
        semaphore.release();
        invisible_signal(&done);
    });
    semaphore.acquire();
    invisible_wait(&done, 1);
    shared = 2;
    thread.join();
    return 0;
}
