// The main thread has ended, but was not joined.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static pthread_t main_thread;
static int ended;

static void destroy(void *unused) {
    (void)unused;
    shared = 1;
    invisible_signal(&ended);
}

static void *child(void *unused) {
    invisible_wait(&ended, 1);
    shared = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_t key;
    main_thread = pthread_self();
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &ended);
    pthread_create(&thread, 0, child, 0);
    pthread_detach(thread);
    pthread_exit(0);
}
