// Every thread is given the address of the variable that counts them.
// EXPECT: data race
#include <pthread.h>

static void *work(void *argument) {
    int number = *(int *)argument;
    return (void *)(long)number;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], 0, work, &i);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
