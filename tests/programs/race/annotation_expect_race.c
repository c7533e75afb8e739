// An expected race that does not happen is missed, and after the flush it is reported.
// EXPECT: an expected race has not happened: "on purpose"
// EXPECT: data race on `data`
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
    AnnotateFlushExpectedRaces(__FILE__, __LINE__);
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
