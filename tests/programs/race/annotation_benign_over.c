// A declaration ends with its memory: a new block at the same address is not concerned.
#include <stdlib.h>
// REPORTS: 1
// REJECT: declares benign
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateBenignRaceSized(const char *, int, const volatile void *, long, const char *);
void AnnotateBenignRace(const char *, int, const volatile void *, const char *);
static volatile int *block;

static void *first(void *argument) {
    *block = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    block = malloc(64);
    AnnotateBenignRaceSized(__FILE__, __LINE__, block, 64, "of another object");
    free((void *)block);
    block = malloc(64);
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    *block = 2;
    pthread_join(thread, 0);
    return 0;
}
