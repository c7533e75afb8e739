// A thread could not be created while another one runs: its creator is not alone.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 4 at 0x[0-9a-f]+ by thread T2
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int written, leave;

static void *write_it(void *unused) {
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&leave, 1);
    return unused;
}

// For lack of processors that there are.
static void fail(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    cpu_set_t none;
    CPU_ZERO(&none);
    CPU_SET(CPU_SETSIZE - 1, &none);
    pthread_attr_setaffinity_np(&attributes, sizeof none, &none);
    pthread_t thread;
    CHECK(pthread_create(&thread, &attributes, write_it, 0) != 0);
    pthread_attr_destroy(&attributes);
}

int main(void) {
    fail();
    shared = 0;
    pthread_t thread;
    CHECK(!pthread_create(&thread, 0, write_it, 0));
    invisible_wait(&written, 1);
    fail();
    shared = 2;
    invisible_signal(&leave);
    pthread_join(thread, 0);
    return 0;
}
