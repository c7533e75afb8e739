// An object is read while another thread has deleted it, and deleted while another thread has read it: `delete[] object`.
// EXPECT: Read of size 4
// EXPECT: Earlier free
// EXPECT: Free of size
// EXPECT: Earlier read of size 4
// REJECT: data race on
// REPORTS: 2
#include <new>

#include "unordered.h"

struct Object {
    int value = 1;
    ~Object() {}
};

struct alignas(64) Wide {
    int value = 1;
    ~Wide() {}
};

static Object *object = new Object[3], *other = new Object[3];
static volatile int seen[2];

static void first() {
    delete[] object;
    seen[0] = other->value;
}

static void second() {
    Object *volatile gone = object;
    seen[1] = gone->value;
    delete[] other;
}
