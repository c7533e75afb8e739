// A destructor changes the pointer to the virtual table while another thread calls a virtual function.
// LEVELS: O1
#include <pthread.h>

#include "invisible.h"

struct Shape {
    virtual int sides() { return 0; }
    virtual ~Shape() { asm volatile("" : : "r"(this) : "memory"); }
};

struct Square : Shape {
    int sides() override { return 4; }
};

static int done;
static volatile int seen;

static void *count(void *shape) {
    seen = static_cast<Shape *>(shape)->sides();
    invisible_signal(&done);
    invisible_wait(&done, 2);
    return nullptr;
}

int main() {
    Shape *shape = new Square;
    pthread_t thread;
    pthread_create(&thread, nullptr, count, shape);
    invisible_wait(&done, 1);
    delete shape;
    invisible_signal(&done);
    pthread_join(thread, nullptr);
    return 0;
}
