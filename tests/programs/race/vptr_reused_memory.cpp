// An object is made where one of its class was before: the memory holds the same pointer, yet the constructor's store is a
// write, and races with a virtual call of a thread that got the object without order.
// LEVELS: O0 O1 O2
// EXPECT: data race on vptr \(constructor or destructor against virtual call\)
// REPORTS: 1
#include <new>

#include "unordered.h"

struct Object {
    __attribute__((noinline)) Object();
    virtual int value() { return 1; }
};

Object::Object() = default;

alignas(8) static char place[sizeof(Object)];
static volatile int seen;

static void first() {
    new (static_cast<void *>(place)) Object;
    new (static_cast<void *>(place)) Object;
}

static void second() {
    Object *object = reinterpret_cast<Object *>(place);
    asm volatile("" : "+r"(object));
    seen = object->value();
}
