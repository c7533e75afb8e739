// Threads that nobody joins or detaches.
// LEVELS: O1
#include <pthread.h>
#include <unistd.h>

#include "gone.h"

static int started, numbers[2];

static void *work(void *place) {
    int number = thread_number();
    __asm__ volatile("movl %1, (%0)" : : "r"(place), "r"(number) : "memory");
    invisible_signal(&started);
    return place;
}

static void start(int *number) {
    pthread_t thread;
    pthread_create(&thread, 0, work, number);
}

int main(void) {
    for (int i = 0; i < 2; i++) start(&numbers[i]);
    invisible_wait(&started, 2);
    for (int i = 0; i < 2; i++) {
        int number;
        __asm__ volatile("movl (%1), %0" : "=r"(number) : "r"(&numbers[i]) : "memory");
        wait_until_gone(getpid(), number);
    }
    return 0;
}
