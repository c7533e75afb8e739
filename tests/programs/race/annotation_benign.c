// A race on bytes that are declared benign is counted, one on the byte behind them reported.
// REPORTS: 1
// EXPECT: declares benign:
// EXPECT: 2 times  "only a statistic"  \(.*annotation_benign.c:[0-9]+\)
// EXPECT: 1 time  "a hint"
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateBenignRaceSized(const char *, int, const volatile void *, long, const char *);
void AnnotateBenignRace(const char *, int, const volatile void *, const char *);
static volatile char bytes[4];

static void *first(void *argument) {
    for (int i = 0; i < 4; i++) bytes[i] = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, bytes, 2, "only a statistic");
    AnnotateBenignRace(__FILE__, __LINE__, &bytes[2], "a hint");
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    for (int i = 0; i < 4; i++) bytes[i] = 2;
    pthread_join(thread, 0);
    return 0;
}
