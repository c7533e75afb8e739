// The initialization of a local static variable orders only those that come by its declaration.
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
    instance->value = 2;
}
