// A stack that the program brought is used by one thread after the other.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { SIZE = 256 * 1024 };

static void *work(void *unused) {
    char block[10000];
    memset(block, 1, sizeof block);
    __asm__ volatile("" : : "r"(block) : "memory");
    return unused;
}

int main(void) {
    void *stack = aligned_alloc(4096, SIZE);
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, SIZE) == 0);
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, &attributes, work, 0) == 0);
        CHECK(pthread_join(thread, 0) == 0);
        memset(stack, i, SIZE);
    }
    free(stack);
    return 0;
}
