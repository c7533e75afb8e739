// A local static variable is initialized before every use of it.
#include "unordered.h"

struct Counter {
    volatile int value;
    __attribute__((noinline)) Counter() { value = 1; }
    ~Counter() {}
};

static Counter *volatile instance;

static Counter &counter() {
    static Counter counter;
    return counter;
}

static void first() {
    instance = &counter();
}

static void second() {
    counter().value = 2;
}
