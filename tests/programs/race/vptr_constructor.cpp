// A constructor gives its object to another thread, which calls a virtual function of it; a derived class's constructor is still to
// come.
// LEVELS: O0 O1 O2
// EXPECT: data race on vptr \(constructor or destructor against virtual call\)
#include <new>

#include "unordered.h"

struct Base;
static Base *volatile published;
static volatile int seen;
static int begun, used;

struct Base {
    Base() {
        published = this;
        invisible_signal(&begun);
        invisible_wait(&used, 1);
    }
    virtual int value() { return 1; }
};

struct Derived : Base {
    int value() override { return 2; }
};

static void first() {
    // The thread that constructs; the other one is in `second` meanwhile.
    invisible_signal(&first_is_done);
    static char place[sizeof(Derived)];
    new (static_cast<void *>(place)) Derived;
}

static void second() {
    invisible_wait(&begun, 1);
    seen = published->value();
    invisible_signal(&used);
}
