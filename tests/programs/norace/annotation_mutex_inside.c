// What an annotated lock does to its own memory is its own affair.
#include "invisible.h"
#include <pthread.h>

static int step;
static volatile int data;
void __tsan_mutex_create(void *, unsigned);
void __tsan_mutex_destroy(void *, unsigned);
void __tsan_mutex_pre_lock(void *, unsigned);
void __tsan_mutex_post_lock(void *, unsigned, int);
int __tsan_mutex_pre_unlock(void *, unsigned);
void __tsan_mutex_post_unlock(void *, unsigned);
void __tsan_mutex_pre_divert(void *, unsigned);
void __tsan_mutex_post_divert(void *, unsigned);
enum { LINKER_INIT = 1, READ_LOCK = 8, TRY_LOCK = 16, TRY_LOCK_FAILED = 32, RECURSIVE_LOCK = 64, RECURSIVE_UNLOCK = 128 };
static int lock;
static volatile int owner;

static void *first(void *argument) {
    __tsan_mutex_pre_lock(&lock, 0);
    owner = 1;
    __tsan_mutex_post_lock(&lock, 0, 0);
    __tsan_mutex_pre_unlock(&lock, 0);
    __tsan_mutex_post_unlock(&lock, 0);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    __tsan_mutex_pre_lock(&lock, TRY_LOCK);
    owner = 2;
    __tsan_mutex_post_lock(&lock, TRY_LOCK | TRY_LOCK_FAILED, 0);
    pthread_join(thread, 0);
    return 0;
}
