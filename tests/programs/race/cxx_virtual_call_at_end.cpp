// An object ends while another thread calls it: the destructor of the base resets the pointer to its functions.
// EXPECT: data race on vptr
#include <semaphore>
#include <thread>

#include "invisible.h"

static int called;

struct Base {
    virtual void call() {}
    virtual ~Base() {
        invisible_wait(&called, 1);
        wait();
    }
    static void wait() {}
};
struct Derived : Base {
    int calls = 0;
    void call() override { calls++; }
};

int main() {
    Base *object = new Derived;
    std::thread other([object] {
        object->call();
        invisible_signal(&called);
    });
    delete object;
    other.join();
    return 0;
}
