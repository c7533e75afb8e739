// A fiber that goes on in another thread is still itself: what it did before is its own.
#include "fiber.h"
#include "invisible.h"
#include <pthread.h>

void __tsan_mutex_post_lock(void *, unsigned, int);
int __tsan_mutex_pre_unlock(void *, unsigned);
void __tsan_mutex_post_unlock(void *, unsigned);

static struct fiber first, second, worker;
static volatile int own, data;
static int parked, lock;

static void work(void) {
    __tsan_mutex_post_lock(&lock, 0, 0);
    own = 1;
    fiber_switch(&worker, &first, UNORDERED);
    own = 2;
    __tsan_mutex_pre_unlock(&lock, 0);
    __tsan_mutex_post_unlock(&lock, 0);
    fiber_switch(&worker, &second, UNORDERED);
}

static void *first_thread(void *argument) {
    fiber_here(&first);
    fiber_switch(&first, &worker, UNORDERED);
    invisible_signal(&parked);
    return argument;
}

static void *second_thread(void *argument) {
    invisible_wait(&parked, 1);
    fiber_here(&second);
    fiber_switch(&second, &worker, UNORDERED);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    fiber_init(&worker, work);
    __tsan_set_fiber_name(worker.told, "worker");
    pthread_create(&threads[0], 0, first_thread, 0);
    pthread_create(&threads[1], 0, second_thread, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
