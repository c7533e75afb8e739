// As its twin, with another block, lock or address, or before and after the finalization.
// EXPECT: by main thread.*\n    #0 wrong_lock
// EXPECT: by main thread.*\n    #0 no_acquire
// EXPECT: by main thread.*\n    #0 a_reader
// EXPECT: by main thread.*\n    #0 not_collected
// EXPECT: by main thread.*\n    #0 after_finalization
// REPORTS: 5
#include <pthread.h>

#include "check.h"
#include "invisible.h"

typedef unsigned long jptr;
void __tsan_java_init(jptr start, jptr bytes);
int __tsan_java_fini(void);
void __tsan_java_alloc(jptr start, jptr bytes);
void __tsan_java_free(jptr start, jptr bytes);
void __tsan_java_move(jptr from, jptr to, jptr bytes);
jptr __tsan_java_find(jptr *from, jptr to);
void __tsan_java_finalize(void);
void __tsan_java_mutex_lock(jptr addr);
void __tsan_java_mutex_unlock(jptr addr);
void __tsan_java_mutex_read_lock(jptr addr);
void __tsan_java_mutex_read_unlock(jptr addr);
void __tsan_java_mutex_lock_rec(jptr addr, int times);
int __tsan_java_mutex_unlock_rec(jptr addr);
void __tsan_java_acquire(jptr addr);
void __tsan_java_release(jptr addr);
void __tsan_java_release_store(jptr addr);

enum { BLOCK = 64 };
static _Alignas(64) char heap[64 * BLOCK];
static int steps[4];

// The blocks by what orders their accesses.
static char *at(int block) {
    return heap + block * BLOCK;
}
static jptr is(int block) {
    return (jptr)at(block);
}
#define VALUE(block) (*(volatile int *)(at(block) + 16))
#define ALLOCATE(block) __tsan_java_alloc(is(block), BLOCK)

static void *first(void *unused) {
    for (int block = 0; block < 8; block++) ALLOCATE(block);
    __tsan_java_mutex_lock(is(0));
    VALUE(0) = 1;
    __tsan_java_mutex_unlock(is(0));
    __tsan_java_mutex_lock(is(1));
    __tsan_java_mutex_lock(is(1));
    VALUE(1) = 1;
    CHECK(__tsan_java_mutex_unlock_rec(is(1)) == 2);
    VALUE(2) = 1;
    __tsan_java_release_store(is(2));
    __tsan_java_mutex_read_lock(is(3));
    (void)VALUE(3);
    __tsan_java_mutex_read_unlock(is(3));
    VALUE(4) = 1;
    VALUE(5) = 1;
    VALUE(6) = 1;
    VALUE(7) = 1;
    invisible_signal(&steps[0]);
    invisible_wait(&steps[1], 1);
    // A thread that goes on after another has finalized is checked as before.
    VALUE(7) = 3;
    invisible_signal(&steps[2]);
    return unused;
}

__attribute__((noinline)) static void wrong_lock(void) {
    __tsan_java_mutex_lock(is(7));
    VALUE(0) = 2;
    __tsan_java_mutex_unlock(is(7));
}
__attribute__((noinline)) static void no_acquire(void) {
    VALUE(2) = 2;
}
__attribute__((noinline)) static void a_reader(void) {
    __tsan_java_mutex_read_lock(is(3));
    VALUE(3) = 2;
    __tsan_java_mutex_read_unlock(is(3));
}
__attribute__((noinline)) static void not_collected(void) {
    __tsan_java_free(is(5), BLOCK);
    VALUE(4) = 2;
}
__attribute__((noinline)) static void after_finalization(void) {
    VALUE(7) = 2;
}

int main(void) {
    __tsan_java_init(is(0), sizeof heap);
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&steps[0], 1);
    wrong_lock();
    no_acquire();
    a_reader();
    not_collected();
    __tsan_java_finalize();
    VALUE(6) = 2;
    invisible_signal(&steps[1]);
    invisible_wait(&steps[2], 1);
    after_finalization();
    pthread_join(thread, 0);
    CHECK((__tsan_java_fini() != 0) == 1);
    return 0;
}
