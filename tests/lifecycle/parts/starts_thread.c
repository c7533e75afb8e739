// A library whose constructor starts a thread.
#include <pthread.h>

#include "invisible.h"

volatile int library_shared;
int library_done;
static pthread_t thread;

static void *library_thread(void *unused) {
    library_shared = 1;
    invisible_signal(&library_done);
    return unused;
}

__attribute__((constructor)) static void loaded(void) {
    pthread_create(&thread, 0, library_thread, 0);
}

__attribute__((destructor)) static void unloaded(void) {
    pthread_join(thread, 0);
}

void library_write(void) {
    invisible_wait(&library_done, 1);
    library_shared = 3;
}
