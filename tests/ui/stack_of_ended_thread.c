// A thread returns the address of its local variable.
// LEVELS: O1
#include <pthread.h>

static void *count(void *unused) {
    int total = unused != 0;
    int *volatile result = &total;
    (*result)++;
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, count, 0);
    pthread_join(thread, &result);
    return *(volatile int *)result == 2;
}
