// What is published was finished before.
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotatePublishMemoryRange(const char *, int, void *, long);

static void *first(void *argument) {
    data = 1;
    AnnotatePublishMemoryRange(__FILE__, __LINE__, (void *)&data, sizeof data);
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
