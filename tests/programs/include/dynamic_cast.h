// A thread asks whether an object is of a derived class, by a cast, while the main thread ends it, or before that with RACE undefined: the destructors set
// the pointer that the cast looks at.
#pragma once
#include <thread>

#include "invisible.h"

static int asked;
static volatile int ended;

struct Base {
    virtual ~Base() {}
};
struct Derived : Base {
    ~Derived() override { ended = 1; }
};
struct Other : Base {};

__attribute__((noinline)) static bool is_other(Base *object) { return dynamic_cast<Other *>(object) != nullptr; }

int main() {
    Base *object = new Derived;
    bool found = false;
    std::thread other([object, &found] {
        found = is_other(object);
        invisible_signal(&asked);
    });
    invisible_wait(&asked, 1);
#ifndef RACE
    other.join();
#endif
    delete object;
#ifdef RACE
    other.join();
#endif
    return found;
}
