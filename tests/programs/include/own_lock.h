// A lock of the program's own, as far as the annotations say: no thread waits in the tests that use it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_mutex_create(void *, unsigned);
void __tsan_mutex_destroy(void *, unsigned);
void __tsan_mutex_pre_lock(void *, unsigned);
void __tsan_mutex_post_lock(void *, unsigned, int);
int __tsan_mutex_pre_unlock(void *, unsigned);
void __tsan_mutex_post_unlock(void *, unsigned);
#ifdef __cplusplus
}
#endif

enum { OWN_REENTRANT = 2, OWN_READ = 8, OWN_TRY = 16 };

#define OWN_LOCK(lock, flags) (__tsan_mutex_pre_lock((lock), (flags)), __tsan_mutex_post_lock((lock), (flags), 1))
#define OWN_UNLOCK(lock, flags) (__tsan_mutex_pre_unlock((lock), (flags)), __tsan_mutex_post_unlock((lock), (flags)))
