// A local static variable orders in a program that has the C++ library linked into it.
// FLAGS: -static-libstdc++ -static-libgcc
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
