// An object ends when nobody calls it any more.
#include <semaphore>
#include <thread>

#include "invisible.h"

static int called;

struct Base {
    virtual void call() {}
    virtual ~Base() {
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
    other.join();
    delete object;
    return 0;
}
