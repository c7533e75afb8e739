// Declared races that do not happen are no one's business, nor do declarations hide order.
// REJECT: declares benign
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateBenignRaceSized(const char *, int, const volatile void *, long, const char *);
void AnnotateBenignRace(const char *, int, const volatile void *, const char *);
static volatile int other;

static void *first(void *argument) {
    other = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &data, sizeof data, "not shared yet");
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
