// Readers of an annotated lock are not ordered by it.
// EXPECT: data race on `data`
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateRWLockCreate(const char *, int, void *);
void AnnotateRWLockDestroy(const char *, int, void *);
void AnnotateRWLockAcquired(const char *, int, void *, long);
void AnnotateRWLockReleased(const char *, int, void *, long);
static int lock;

static void *first(void *argument) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0);
    data = 1;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0);
    data = 2;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &lock);
    pthread_join(thread, 0);
    return 0;
}
