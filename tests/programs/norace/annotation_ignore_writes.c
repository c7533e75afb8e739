// Writes in a scope that ignores them have not happened, in inner and outer ones.
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
    data = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    data = 2;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    data = 3;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    pthread_join(thread, 0);
    return 0;
}
