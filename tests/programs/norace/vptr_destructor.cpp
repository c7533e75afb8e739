// A destructor that stores the pointer that is there already, and then waits for a thread that still calls virtual functions.
// LEVELS: O0 O1 O2
#include <pthread.h>
#include <semaphore.h>

#include "invisible.h"

static sem_t done;
static int begun, waiting;

struct Service {
    virtual int value() { return 1; }
    virtual ~Service();
};

Service::~Service() {
    invisible_signal(&waiting);
    sem_wait(&done);
}

static volatile int seen;

static void *use(void *object) {
    seen = static_cast<Service *>(object)->value();
    invisible_signal(&begun);
    invisible_wait(&waiting, 1);
    seen = static_cast<Service *>(object)->value();
    sem_post(&done);
    return nullptr;
}

int main() {
    sem_init(&done, 0, 0);
    // One that was made before there were threads, and one after.
    Service *objects[2] = {new Service, nullptr};
    for (Service *&object : objects) {
        if (!object) object = new Service;
        begun = waiting = 0;
        pthread_t thread;
        pthread_create(&thread, nullptr, use, object);
        invisible_wait(&begun, 1);
        delete object;
        pthread_join(thread, nullptr);
    }
    return 0;
}
