// A library in C++ of a program in C: it brings C++'s library, and a race.
#include <thread>

#include "invisible.h"

static volatile int shared;
static int written;

extern "C" int go(int value) {
    std::thread thread([] {
        try {
            throw 1;
        } catch (int thrown) {
            shared = thrown;
        }
        invisible_signal(&written);
    });
    invisible_wait(&written, 1);
    shared = 2;
    thread.join();
    try {
        throw value;
    } catch (int thrown) {
        return thrown;
    }
    return 0;
}
