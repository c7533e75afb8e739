// An atomic load of an object without bytes, by the library's function, beside one of a word.
#include <pthread.h>

static int from, to;
extern void load(unsigned long, void *, void *, int) __asm__("__atomic_load");

static void *reads(void *unused) {
    load(0, &from, &to, __ATOMIC_SEQ_CST);
    load(4, &from, &to, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    __atomic_store_n(&from, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    return to > 1;
}
