// Every thread is given the number itself.
#include <pthread.h>

static void *work(void *argument) {
    int number = (int)(long)argument;
    return (void *)(long)number;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], 0, work, (void *)(long)i);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
