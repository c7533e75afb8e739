// A free in a scope that ignores writes is no race with an unordered access.
#include <stdlib.h>
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
static volatile int *block;

static void *first(void *argument) {
    *block = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    free((void *)block);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    pthread_join(thread, 0);
    return 0;
}
