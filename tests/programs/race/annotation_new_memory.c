// Memory that the program's allocator hands out has no past, its neighbour has.
// REPORTS: 1
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void AnnotateNewMemory(const char *, int, void *, long);
static volatile struct { char given, kept; } pair;

static void *first(void *argument) {
    pair.given = 1;
    pair.kept = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    AnnotateNewMemory(__FILE__, __LINE__, (void *)&pair.given, 1);
    pair.given = 2;
    pair.kept = 2;
    pthread_join(thread, 0);
    return 0;
}
