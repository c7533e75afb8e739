// A jump over the unlock of another lock.
// EXPECT: data race on `value`
#include <pthread.h>
#include <setjmp.h>

int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void deep(jmp_buf *target, pthread_mutex_t *held) {
    pthread_mutex_lock(held);
    value++;
    longjmp(*target, 1);
}

static void *work(void *held) {
    jmp_buf target;
    if (!setjmp(target)) deep(&target, held);
    value++;
    pthread_mutex_unlock(held);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, work, &lock);
    pthread_create(&threads[1], 0, work, &other);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    (void)other;
    return 0;
}
