// A thread returns what it has allocated, which its creator frees.
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "invisible.h"

static int step;

static void *work(void *place) {
    int *result = malloc(sizeof *result);
    *result = 4;
    (void)place;
    invisible_signal(&step);
    return result;
}

int main(void) {
    pthread_t thread;
    int *result = 0;
    pthread_create(&thread, 0, work, &result);
    pthread_join(thread, (void **)&result);
    int seen = *result;
    CHECK(seen == 4);
    free(result);
    return 0;
}
