// A scope that ignores reads ignores no write, and is its thread's own.
// REPORTS: 2
// EXPECT: data race on `data`
// EXPECT: data race on `other`
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
static volatile int other;

static void *first(void *argument) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    data = 1;
    other = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    data = 2;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    (void)other;
    pthread_join(thread, 0);
    return 0;
}
