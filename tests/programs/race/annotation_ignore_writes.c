// A scope that ignores writes ignores no read, and ends where it ends.
// REPORTS: 2
// EXPECT: data race on `data`
// EXPECT: data race on `after`
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
static volatile int after;

static void *first(void *argument) {
    data = 1;
    after = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    (void)data;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    after = 2;
    pthread_join(thread, 0);
    return 0;
}
