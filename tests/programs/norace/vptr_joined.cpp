// Constructor, virtual calls by another thread, destructor, in order.
// LEVELS: O0 O1 O2
#include "ordered.h"

struct Base {
    virtual int value() { return 1; }
    virtual ~Base() { asm volatile("" : : "r"(this) : "memory"); }
};

struct Other {
    virtual int other() { return 3; }
    virtual ~Other() { asm volatile("" : : "r"(this) : "memory"); }
};

struct Derived : Base, Other {
    int value() override { return 2; }
};

static Base *object = new Derived;
static volatile int seen;

static void first() {
    seen = object->value();
    delete object;
    object = new Derived;
}

static void second() {
    seen = object->value() + dynamic_cast<Derived *>(object)->other();
    delete object;
}
