// A sink orders what came before its source, and nothing else.
// REPORTS: 4
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateHappensBefore(const char *, int, void *);
void AnnotateHappensAfter(const char *, int, void *);
void WTFAnnotateHappensBefore(const char *, int, void *);
void WTFAnnotateHappensAfter(const char *, int, void *);
void AnnotateCondVarSignal(const char *, int, void *);
void AnnotateCondVarWait(const char *, int, void *, void *);
void AnnotatePCQPut(const char *, int, void *);
void AnnotatePCQGet(const char *, int, void *);
static int object;
static volatile int data_2, data_3, data_4;

static void *first(void *argument) {
    data = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &object);
    data_2 = 1;
    WTFAnnotateHappensBefore(__FILE__, __LINE__, (void *)&data_2);
    data_3 = 1;
    AnnotateCondVarSignal(__FILE__, __LINE__, (void *)&data_3);
    data_4 = 1;
    AnnotatePCQPut(__FILE__, __LINE__, (void *)&data_4);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    AnnotateHappensAfter(__FILE__, __LINE__, &object);
    data_2 = 2;
    WTFAnnotateHappensAfter(__FILE__, __LINE__, (void *)&data_2);
    data_3 = 2;
    AnnotateCondVarWait(__FILE__, __LINE__, (void *)&data_3, 0);
    data_4 = 2;
    pthread_join(thread, 0);
    return 0;
}
