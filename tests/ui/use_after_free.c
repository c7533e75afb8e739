// A block is used by a thread that does not know that it was freed, then by one that does, and is freed once more.
// FLAGS: -fno-builtin
// LEVELS: O1
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

struct item {
    long key, value, count[2];
};

static struct item *volatile item;
static int freed;

static void *look_up(void *unused) {
    invisible_wait(&freed, 1);
    item->value++;
    return unused;
}

int main(void) {
    item = malloc(sizeof(struct item));
    pthread_t thread;
    pthread_create(&thread, 0, look_up, 0);
    free(item);
    invisible_signal(&freed);
    pthread_join(thread, 0);
    item->key = 1;
    free(item);
    return 0;
}
