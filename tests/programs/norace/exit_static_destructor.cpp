// A local static variable is made by one thread and destroyed at exit by another.
// LEVELS: O1
#include <thread>

#include "invisible.h"

static int made;

struct Owner {
    int *number = new int(0);
    Owner() { *number = 1; }
    ~Owner() {
        *number = 2;
        delete number;
    }
};

static Owner &owner() {
    static Owner owner;
    return owner;
}

int main() {
    std::thread([] {
        owner();
        invisible_signal(&made);
    }).detach();
    invisible_wait(&made, 1);
    return 0;
}
