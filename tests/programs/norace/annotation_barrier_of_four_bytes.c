// The barrier for tests takes four bytes, and leaves those beside it alone; threads meet there again and again.
#include <pthread.h>

void __tsan_testonly_barrier_init(unsigned *, unsigned);
void __tsan_testonly_barrier_wait(unsigned *);
static struct {
    unsigned before, barrier, after;
} of = {77, 0, 88};

static void *meet(void *argument) {
    for (int round = 0; round < 5000; round++) __tsan_testonly_barrier_wait(&of.barrier);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    __tsan_testonly_barrier_init(&of.barrier, 4);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, meet, 0);
    meet(0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return of.before != 77 || of.after != 88;
}
