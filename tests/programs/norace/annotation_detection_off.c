// While detection is off, accesses have not happened.
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateEnableRaceDetection(const char *, int, int);

static void *first(void *argument) {
    AnnotateEnableRaceDetection(__FILE__, __LINE__, 0);
    data = 1;
    AnnotateEnableRaceDetection(__FILE__, __LINE__, 1);
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
