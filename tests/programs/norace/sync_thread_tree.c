// Order goes down and up a tree of threads.
#include <pthread.h>

#include "invisible.h"

static volatile int shared[8];

static void *node(void *argument) {
    static int numbers[16];
    int number = *(int *)argument;
    if (number >= 8) return 0;
    shared[number]++;
    pthread_t children[2];
    for (int i = 0; i < 2; i++) {
        int *child = &numbers[2 * number + i];
        *child = 2 * number + i;
        pthread_create(&children[i], 0, node, child);
    }
    for (int i = 0; i < 2; i++) pthread_join(children[i], 0);
    if (2 * number < 8) shared[2 * number] += shared[2 * number + 1];
    return 0;
}

int main(void) {
    static int root = 1;
    node(&root);
    return shared[1] == 0;
}
