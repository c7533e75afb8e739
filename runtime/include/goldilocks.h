/* Annotations for programs that synchronize by means which Goldilocks does not see: hand-written assembly, hardware, a
 * protocol of their own in memory that is not instrumented.
 *
 * Everything here compiles to nothing unless the file is compiled by goldilocks-cc or goldilocks-c++, so that the header
 * can be included unconditionally. SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GOLDILOCKS_H
#define GOLDILOCKS_H

#ifdef __GOLDILOCKS__

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_acquire(void *object);
void __tsan_release(void *object);
void __tsan_mutex_create(void *mutex, unsigned flags);
void __tsan_mutex_destroy(void *mutex, unsigned flags);
void __tsan_mutex_post_lock(void *mutex, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);
#ifdef __cplusplus
}
#endif

/* A sync-source on `object` (any address): what this thread has done so far is ordered before the matching sink. To be
 * executed before the real release takes effect. */
#define GOLDILOCKS_SOURCE(object) __tsan_release((void *)(object))
/* A sync-sink on `object`: what sources on it have released is ordered before what this thread does from now on. To be
 * executed after the real acquire. */
#define GOLDILOCKS_SINK(object) __tsan_acquire((void *)(object))
/* A lock of the program's own: after it was acquired, and before it is released. */
#define GOLDILOCKS_LOCKED(mutex) __tsan_mutex_post_lock((void *)(mutex), 0, 0)
#define GOLDILOCKS_UNLOCKING(mutex) ((void)__tsan_mutex_pre_unlock((void *)(mutex), 0))
/* The function's plain accesses are not checked; its atomics and calls still are. */
#define GOLDILOCKS_UNCHECKED __attribute__((no_sanitize("thread")))

#else

#define GOLDILOCKS_SOURCE(object) ((void)(object))
#define GOLDILOCKS_SINK(object) ((void)(object))
#define GOLDILOCKS_LOCKED(mutex) ((void)(mutex))
#define GOLDILOCKS_UNLOCKING(mutex) ((void)(mutex))
#define GOLDILOCKS_UNCHECKED

#endif

#endif
