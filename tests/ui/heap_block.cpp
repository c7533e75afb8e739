// A field of an object on the heap, through a template and an inlined member function.
// LEVELS: O2
#include <pthread.h>

#include "invisible.h"

static int done;

template <class T> struct Box {
    T unused;
    T value;
    inline void set(T to) { value = to; }
    __attribute__((noinline)) T get() const { return value; }
};

static void *work(void *box) {
    static_cast<Box<long> *>(box)->set(1);
    invisible_signal(&done);
    invisible_wait(&done, 2);
    return nullptr;
}

int main() {
    auto *box = new Box<long>{};
    pthread_t thread;
    pthread_create(&thread, nullptr, work, box);
    invisible_wait(&done, 1);
    long seen = box->get();
    invisible_signal(&done);
    pthread_join(thread, nullptr);
    delete box;
    return seen == 1 ? 0 : 1;
}
