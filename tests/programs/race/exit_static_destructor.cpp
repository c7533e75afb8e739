// A thread uses a local static variable that another destroys at exit.
// LEVELS: O1
// EXPECT: data race on `\*number`
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
        *owner().number = 3;
        invisible_signal(&made);
    }).detach();
    invisible_wait(&made, 1);
    return 0;
}
