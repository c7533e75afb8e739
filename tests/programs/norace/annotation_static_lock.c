// Locks without constructor may be used before they are said to be there, and after they are said to be gone; and locks of a type with constructors that
// say so are static ones if none has said it.
#include <sanitizer/tsan_interface.h>
// Not in the headers of older compilers.
static const unsigned not_static = 1 << 8;
void AnnotateRWLockCreateStatic(const char *, int, const volatile void *);
void AnnotateRWLockDestroy(const char *, int, const volatile void *);
void AnnotateRWLockAcquired(const char *, int, const volatile void *, long);
void AnnotateRWLockReleased(const char *, int, const volatile void *, long);
#define AT(lock) __FILE__, __LINE__, &lock

static long destroyed, created, constant, by_flag;

static void lock(long *it) {
    __tsan_mutex_pre_lock(it, 0);
    __tsan_mutex_post_lock(it, 0, 0);
}
static void unlock(long *it) {
    __tsan_mutex_pre_unlock(it, 0);
    __tsan_mutex_post_unlock(it, 0);
}

int main(void) {
    AnnotateRWLockCreateStatic(AT(destroyed));
    AnnotateRWLockAcquired(AT(destroyed), 1);
    AnnotateRWLockDestroy(AT(destroyed));
    AnnotateRWLockReleased(AT(destroyed), 1);
    AnnotateRWLockAcquired(AT(created), 1);
    AnnotateRWLockCreateStatic(AT(created));
    AnnotateRWLockReleased(AT(created), 1);
    lock(&constant);
    __tsan_mutex_destroy(&constant, not_static);
    unlock(&constant);
    lock(&by_flag);
    __tsan_mutex_create(&by_flag, __tsan_mutex_linker_init);
    __tsan_mutex_destroy(&by_flag, 0);
    unlock(&by_flag);
    return 0;
}
