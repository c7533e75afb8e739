// A destructor stores the pointer of its own class over that of a derived one, while another thread calls a virtual function.
// LEVELS: O0 O1 O2
// EXPECT: data race on vptr \(constructor or destructor against virtual call\)
// EXPECT: Write of size 8
// EXPECT: Earlier read of size 8
#include "unordered.h"

struct Base {
    virtual int value() { return 1; }
    virtual ~Base() { asm volatile("" : : "r"(this) : "memory"); }
};

struct Derived : Base {
    int value() override { return 2; }
};

static Base *object = new Derived;
static volatile int seen;

static void first() { seen = object->value(); }

static void second() { delete object; }
