// Synchronization in a scope that ignores it orders nothing.
// EXPECT: data race on `data`
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
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument) {
    data = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
