// Reads in a scope that ignores them have not happened, neither now nor for what comes later.
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
void AnnotateIgnoreSyncBegin(const char *, int);
void AnnotateIgnoreSyncEnd(const char *, int);

static void *first(void *argument) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    (void)data;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
