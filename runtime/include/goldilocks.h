/* Annotations for programs that synchronize by means which Goldilocks does not see: hand-written assembly, hardware, a
 * protocol of their own in memory that is not instrumented. docs/annotations.md has an example of each.
 *
 * Everything here compiles to nothing unless the file is compiled by goldilocks-cc or goldilocks-c++, so that the header
 * can be included unconditionally, and needs no library. SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GOLDILOCKS_H
#define GOLDILOCKS_H

/* 1 if Goldilocks compiles this, otherwise 0. */
#ifdef __GOLDILOCKS__
#define GOLDILOCKS_ENABLED 1
#else
#define GOLDILOCKS_ENABLED 0
#endif

#if GOLDILOCKS_ENABLED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_acquire(void *object);
void __tsan_release(void *object);
void __tsan_mutex_create(void *mutex, unsigned flags);
void __tsan_mutex_destroy(void *mutex, unsigned flags);
void __tsan_mutex_post_lock(void *mutex, unsigned flags, int recursion);
void AnnotateRWLockReleased(const char *file, int line, void *lock, long writes);
void AnnotateBenignRaceSized(const char *file, int line, const void *memory, long bytes, const char *reason);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateThreadName(const char *file, int line, const char *name);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void *__tsan_get_current_fiber(void);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __goldilocks_user_hand_over(void *memory, size_t bytes);
void __goldilocks_user_allocated(void *memory, size_t bytes);
void __goldilocks_user_freed(void *memory, size_t bytes);
#ifdef __cplusplus
}
#endif

#define GOLDILOCKS_CALL(call) (call)

/* The function's plain accesses are not checked; its atomics and calls still are. */
#define GOLDILOCKS_UNCHECKED __attribute__((no_sanitize("thread")))

#else

#define GOLDILOCKS_CALL(call) ((void)0)
#define GOLDILOCKS_UNCHECKED

#endif

/* Arguments are not evaluated where Goldilocks does not compile, but count as used there, too. */
#define GOLDILOCKS_USED(argument) ((void)sizeof((argument), 0))

/* A sync-source on `object` (any address): what this thread has done so far is ordered before the matching sink. To be
 * executed before the real release takes effect. */
#define GOLDILOCKS_SOURCE(object) (GOLDILOCKS_USED(object), GOLDILOCKS_CALL(__tsan_release((void *)(object))))
/* A sync-sink on `object`: what sources on it have released is ordered before what this thread does from now on. To be
 * executed after the real acquire. */
#define GOLDILOCKS_SINK(object) (GOLDILOCKS_USED(object), GOLDILOCKS_CALL(__tsan_acquire((void *)(object))))

/* A lock of the program's own (any address): made and destroyed, */
#define GOLDILOCKS_LOCK_CREATED(lock) (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(__tsan_mutex_create((void *)(lock), 0)))
#define GOLDILOCKS_LOCK_DESTROYED(lock) (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(__tsan_mutex_destroy((void *)(lock), 0)))
/* after it was acquired, and before it is released; */
#define GOLDILOCKS_LOCKED(lock) (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(__tsan_mutex_post_lock((void *)(lock), 0, 0)))
#define GOLDILOCKS_UNLOCKING(lock) \
    (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(AnnotateRWLockReleased(__FILE__, __LINE__, (void *)(lock), 1)))
/* the same for those who share it. */
#define GOLDILOCKS_READ_LOCKED(lock) (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(__tsan_mutex_post_lock((void *)(lock), 8, 0)))
#define GOLDILOCKS_READ_UNLOCKING(lock) \
    (GOLDILOCKS_USED(lock), GOLDILOCKS_CALL(AnnotateRWLockReleased(__FILE__, __LINE__, (void *)(lock), 0)))

/* Races on these bytes are meant. The reason, a string literal that is not empty, is shown in the summary at exit, with how
 * often such a race has happened. Ends when the memory is freed. */
#define GOLDILOCKS_BENIGN_RACE(memory, bytes, reason)                                                          \
    (GOLDILOCKS_USED(memory), (void)sizeof(char[sizeof("" reason) > 1 ? 1 : -1]),                              \
     GOLDILOCKS_CALL(AnnotateBenignRaceSized(__FILE__, __LINE__, (const void *)(memory), (long)(bytes), reason)))

/* Between the two, this thread's reads, writes or synchronization have not happened for the detector. They nest. Ignoring
 * accesses keeps all order. */
#define GOLDILOCKS_IGNORE_READS_BEGIN() GOLDILOCKS_CALL(AnnotateIgnoreReadsBegin(__FILE__, __LINE__))
#define GOLDILOCKS_IGNORE_READS_END() GOLDILOCKS_CALL(AnnotateIgnoreReadsEnd(__FILE__, __LINE__))
#define GOLDILOCKS_IGNORE_WRITES_BEGIN() GOLDILOCKS_CALL(AnnotateIgnoreWritesBegin(__FILE__, __LINE__))
#define GOLDILOCKS_IGNORE_WRITES_END() GOLDILOCKS_CALL(AnnotateIgnoreWritesEnd(__FILE__, __LINE__))
#define GOLDILOCKS_IGNORE_SYNC_BEGIN() GOLDILOCKS_CALL(AnnotateIgnoreSyncBegin(__FILE__, __LINE__))
#define GOLDILOCKS_IGNORE_SYNC_END() GOLDILOCKS_CALL(AnnotateIgnoreSyncEnd(__FILE__, __LINE__))

/* This thread gives the range away. It must own every byte (as for a write, else that is a race); whoever touches a byte
 * first afterwards owns that byte, and nothing else is ordered by it. */
#define GOLDILOCKS_HAND_OVER(memory, bytes) \
    (GOLDILOCKS_USED(memory), GOLDILOCKS_CALL(__goldilocks_user_hand_over((void *)(memory), (bytes))))
/* An allocator of the program's own hands out a range, or takes it back. */
#define GOLDILOCKS_ALLOCATED(memory, bytes) \
    (GOLDILOCKS_USED(memory), GOLDILOCKS_CALL(__goldilocks_user_allocated((void *)(memory), (bytes))))
#define GOLDILOCKS_FREED(memory, bytes) \
    (GOLDILOCKS_USED(memory), GOLDILOCKS_CALL(__goldilocks_user_freed((void *)(memory), (bytes))))

/* The running thread's name in reports. */
#define GOLDILOCKS_THREAD_NAME(name) (GOLDILOCKS_USED(name), GOLDILOCKS_CALL(AnnotateThreadName(__FILE__, __LINE__, (name))))

/* Fibers, as `void *`; null where Goldilocks does not compile. A switch is told immediately before the real one. */
#if GOLDILOCKS_ENABLED
#define GOLDILOCKS_FIBER_CREATE() __tsan_create_fiber(0)
#define GOLDILOCKS_FIBER_CURRENT() __tsan_get_current_fiber()
#else
#define GOLDILOCKS_FIBER_CREATE() ((void *)0)
#define GOLDILOCKS_FIBER_CURRENT() ((void *)0)
#endif
#define GOLDILOCKS_FIBER_DESTROY(fiber) (GOLDILOCKS_USED(fiber), GOLDILOCKS_CALL(__tsan_destroy_fiber(fiber)))
/* What comes before the switch is ordered before what the fiber does next; or not. */
#define GOLDILOCKS_FIBER_SWITCH(fiber) (GOLDILOCKS_USED(fiber), GOLDILOCKS_CALL(__tsan_switch_to_fiber((fiber), 0)))
#define GOLDILOCKS_FIBER_SWITCH_UNORDERED(fiber) (GOLDILOCKS_USED(fiber), GOLDILOCKS_CALL(__tsan_switch_to_fiber((fiber), 1)))
#define GOLDILOCKS_FIBER_NAME(fiber, name) (GOLDILOCKS_USED(fiber), GOLDILOCKS_CALL(__tsan_set_fiber_name((fiber), (name))))

#ifdef __cplusplus
namespace goldilocks {
/* The scopes of above as objects. */
struct ignore_reads {
    ignore_reads() { GOLDILOCKS_IGNORE_READS_BEGIN(); }
    ~ignore_reads() { GOLDILOCKS_IGNORE_READS_END(); }
    ignore_reads(const ignore_reads &) = delete;
    ignore_reads &operator=(const ignore_reads &) = delete;
};
struct ignore_writes {
    ignore_writes() { GOLDILOCKS_IGNORE_WRITES_BEGIN(); }
    ~ignore_writes() { GOLDILOCKS_IGNORE_WRITES_END(); }
    ignore_writes(const ignore_writes &) = delete;
    ignore_writes &operator=(const ignore_writes &) = delete;
};
struct ignore_sync {
    ignore_sync() { GOLDILOCKS_IGNORE_SYNC_BEGIN(); }
    ~ignore_sync() { GOLDILOCKS_IGNORE_SYNC_END(); }
    ignore_sync(const ignore_sync &) = delete;
    ignore_sync &operator=(const ignore_sync &) = delete;
};
} // namespace goldilocks
#endif

#endif
