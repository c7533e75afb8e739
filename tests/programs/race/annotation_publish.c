// What the publisher writes after it has published races.
// EXPECT: data race on `data`
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotatePublishMemoryRange(const char *, int, void *, long);

static void *first(void *argument) {
    AnnotatePublishMemoryRange(__FILE__, __LINE__, (void *)&data, sizeof data);
    data = 1;
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
