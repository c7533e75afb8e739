// Threads on a stack that the program provides, used by one after the other.
#include <pthread.h>
#include <stdlib.h>

enum { BYTES = 256 * 1024 };

static void *work(void *unused) {
    volatile char frame[10000];
    for (int i = 0; i < 10000; i++) frame[i] = (char)i;
    return unused;
}

int main(void) {
    void *memory = aligned_alloc(4096, BYTES);
    pthread_attr_t on_it;
    pthread_attr_init(&on_it);
    pthread_attr_setstack(&on_it, memory, BYTES);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &on_it, work, 0)) return 2;
        pthread_join(thread, 0);
    }
    free(memory);
    return 0;
}
