// A thread returns the address of a variable that its creator has reused.
// EXPECT: data race
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "invisible.h"

static int step;

static void *work(void *place) {
    int *result = malloc(sizeof *result);
    *result = 4;
    *(int **)place = result;
    invisible_signal(&step);
    return result;
}

int main(void) {
    pthread_t thread;
    int *result = 0;
    pthread_create(&thread, 0, work, &result);
    invisible_wait(&step, 1);
    int seen = *result;
    pthread_join(thread, 0);
    CHECK(seen == 4);
    free(result);
    return 0;
}
