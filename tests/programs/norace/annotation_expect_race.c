// An expected race that happens is not reported.
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateExpectRace(const char *, int, const volatile void *, const char *);
void AnnotateFlushExpectedRaces(const char *, int);

static void *first(void *argument) {
    data = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    AnnotateExpectRace(__FILE__, __LINE__, &data, "on purpose");
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    AnnotateFlushExpectedRaces(__FILE__, __LINE__);
    pthread_join(thread, 0);
    return 0;
}
