// Two waits come after both posts.
#include <pthread.h>
#include <semaphore.h>

#include "invisible.h"

static sem_t semaphore;
static volatile int shared[2];
static int done;

static void *poster(void *argument) {
    int number = *(int *)argument;
    shared[number] = 1;
    sem_post(&semaphore);
    invisible_signal(&done);
    return 0;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, poster, &numbers[i]);
    invisible_wait(&done, 2);
    sem_wait(&semaphore);
    sem_wait(&semaphore);
    shared[0] = 2;
    shared[1] = 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
