// Attributes of threads and of sync objects, and what is asked about running threads.
#include "rows.h"

#include <sched.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

// Attributes that were made elsewhere, and moved to a unseen.
#define MADE(kind) ({ kind##_t made; kind##_init(&made); bytes(a, &made, sizeof made); })

#define SIZE sizeof(pthread_attr_t)
#define OF ((pthread_attr_t *)a)
ROW(pthread_attr_init, NOTHING, pthread_attr_init(OF), W(a, SIZE))
ROW(pthread_attr_destroy, MADE(pthread_attr), pthread_attr_destroy(OF), W(a, SIZE))
ROW(pthread_attr_getdetachstate, MADE(pthread_attr), CHECK(pthread_attr_getdetachstate(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_attr_setdetachstate, MADE(pthread_attr), pthread_attr_setdetachstate(OF, PTHREAD_CREATE_JOINABLE), W(a, SIZE))
ROW(pthread_attr_getguardsize, MADE(pthread_attr), CHECK(pthread_attr_getguardsize(OF, (void *)b) == 0), (R(a, SIZE), W(b, 8)))
ROW(pthread_attr_setguardsize, MADE(pthread_attr), pthread_attr_setguardsize(OF, 4096), W(a, SIZE))
ROW(pthread_attr_getinheritsched, MADE(pthread_attr), CHECK(pthread_attr_getinheritsched(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_attr_setinheritsched, MADE(pthread_attr), pthread_attr_setinheritsched(OF, PTHREAD_INHERIT_SCHED), W(a, SIZE))
ROW(pthread_attr_getschedparam, MADE(pthread_attr), CHECK(pthread_attr_getschedparam(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_attr_setschedparam, (MADE(pthread_attr), integer(b, 0)), pthread_attr_setschedparam(OF, (void *)b), (W(a, SIZE), R(b, 4)))
ROW(pthread_attr_getschedpolicy, MADE(pthread_attr), CHECK(pthread_attr_getschedpolicy(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_attr_setschedpolicy, MADE(pthread_attr), pthread_attr_setschedpolicy(OF, SCHED_OTHER), W(a, SIZE))
ROW(pthread_attr_getscope, MADE(pthread_attr), CHECK(pthread_attr_getscope(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_attr_setscope, MADE(pthread_attr), pthread_attr_setscope(OF, PTHREAD_SCOPE_SYSTEM), W(a, SIZE))
ROW(pthread_attr_getstackaddr, ({ pthread_attr_t made; pthread_attr_init(&made); pthread_attr_setstack(&made, c, 1 << 20); bytes(a, &made, sizeof made); }), CHECK(pthread_attr_getstackaddr(OF, (void *)b) == 0), (R(a, SIZE), W(b, 8)))
ROW(pthread_attr_setstackaddr, MADE(pthread_attr), pthread_attr_setstackaddr(OF, c), W(a, SIZE))
ROW(pthread_attr_getstacksize, MADE(pthread_attr), CHECK(pthread_attr_getstacksize(OF, (void *)b) == 0), (R(a, SIZE), W(b, 8)))
ROW(pthread_attr_setstacksize, MADE(pthread_attr), pthread_attr_setstacksize(OF, 1 << 20), W(a, SIZE))
#undef SIZE
#undef OF

#define SIZE sizeof(pthread_mutexattr_t)
#define OF ((pthread_mutexattr_t *)a)
ROW(pthread_mutexattr_init, NOTHING, pthread_mutexattr_init(OF), W(a, SIZE))
ROW(pthread_mutexattr_destroy, MADE(pthread_mutexattr), pthread_mutexattr_destroy(OF), W(a, SIZE))
ROW(pthread_mutexattr_getprioceiling, MADE(pthread_mutexattr), CHECK(pthread_mutexattr_getprioceiling(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_mutexattr_setprioceiling, MADE(pthread_mutexattr), pthread_mutexattr_setprioceiling(OF, 1), W(a, SIZE))
ROW(pthread_mutexattr_getprotocol, MADE(pthread_mutexattr), CHECK(pthread_mutexattr_getprotocol(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_mutexattr_setprotocol, MADE(pthread_mutexattr), pthread_mutexattr_setprotocol(OF, 0), W(a, SIZE))
ROW(pthread_mutexattr_getpshared, MADE(pthread_mutexattr), CHECK(pthread_mutexattr_getpshared(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_mutexattr_setpshared, MADE(pthread_mutexattr), pthread_mutexattr_setpshared(OF, 0), W(a, SIZE))
ROW(pthread_mutexattr_getrobust, MADE(pthread_mutexattr), CHECK(pthread_mutexattr_getrobust(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_mutexattr_setrobust, MADE(pthread_mutexattr), pthread_mutexattr_setrobust(OF, 0), W(a, SIZE))
ROW(pthread_mutexattr_gettype, MADE(pthread_mutexattr), CHECK(pthread_mutexattr_gettype(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_mutexattr_settype, MADE(pthread_mutexattr), pthread_mutexattr_settype(OF, 0), W(a, SIZE))
#undef SIZE
#undef OF

#define SIZE sizeof(pthread_condattr_t)
#define OF ((pthread_condattr_t *)a)
ROW(pthread_condattr_init, NOTHING, pthread_condattr_init(OF), W(a, SIZE))
ROW(pthread_condattr_destroy, MADE(pthread_condattr), pthread_condattr_destroy(OF), W(a, SIZE))
ROW(pthread_condattr_getclock, MADE(pthread_condattr), CHECK(pthread_condattr_getclock(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_condattr_setclock, MADE(pthread_condattr), pthread_condattr_setclock(OF, CLOCK_MONOTONIC), W(a, SIZE))
ROW(pthread_condattr_getpshared, MADE(pthread_condattr), CHECK(pthread_condattr_getpshared(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_condattr_setpshared, MADE(pthread_condattr), pthread_condattr_setpshared(OF, 0), W(a, SIZE))
#undef SIZE
#undef OF

#define SIZE sizeof(pthread_rwlockattr_t)
#define OF ((pthread_rwlockattr_t *)a)
ROW(pthread_rwlockattr_init, NOTHING, pthread_rwlockattr_init(OF), W(a, SIZE))
ROW(pthread_rwlockattr_destroy, MADE(pthread_rwlockattr), pthread_rwlockattr_destroy(OF), W(a, SIZE))
ROW(pthread_rwlockattr_getkind_np, MADE(pthread_rwlockattr), CHECK(pthread_rwlockattr_getkind_np(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_rwlockattr_setkind_np, MADE(pthread_rwlockattr), pthread_rwlockattr_setkind_np(OF, 0), W(a, SIZE))
ROW(pthread_rwlockattr_getpshared, MADE(pthread_rwlockattr), CHECK(pthread_rwlockattr_getpshared(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_rwlockattr_setpshared, MADE(pthread_rwlockattr), pthread_rwlockattr_setpshared(OF, 0), W(a, SIZE))
#undef SIZE
#undef OF

#define SIZE sizeof(pthread_barrierattr_t)
#define OF ((pthread_barrierattr_t *)a)
ROW(pthread_barrierattr_init, NOTHING, pthread_barrierattr_init(OF), W(a, SIZE))
ROW(pthread_barrierattr_destroy, MADE(pthread_barrierattr), pthread_barrierattr_destroy(OF), W(a, SIZE))
ROW(pthread_barrierattr_getpshared, MADE(pthread_barrierattr), CHECK(pthread_barrierattr_getpshared(OF, (void *)b) == 0), (R(a, SIZE), W(b, 4)))
ROW(pthread_barrierattr_setpshared, MADE(pthread_barrierattr), pthread_barrierattr_setpshared(OF, 0), W(a, SIZE))
#undef SIZE
#undef OF

#define SIZE sizeof(pthread_attr_t)
#define OF ((pthread_attr_t *)a)
ROW(pthread_attr_getstack, ({ pthread_attr_t made; pthread_attr_init(&made); pthread_attr_setstack(&made, c, 1 << 20); bytes(a, &made, sizeof made); }), pthread_attr_getstack(OF, (void **)b, (size_t *)d), (R(a, SIZE), W(b, 8), W(d, 8)))
ROW(pthread_attr_setstack, MADE(pthread_attr), pthread_attr_setstack(OF, c, 1 << 20), W(a, SIZE))
ROW(pthread_attr_getaffinity_np, MADE(pthread_attr), pthread_attr_getaffinity_np(OF, 128, (cpu_set_t *)b), (R(a, SIZE), W(b, 128)))
ROW(pthread_attr_setaffinity_np, (MADE(pthread_attr), fill(b, 1, 128)), pthread_attr_setaffinity_np(OF, 128, (cpu_set_t *)b), (W(a, SIZE), R(b, 128)))
ROW(pthread_attr_setsigmask_np, (MADE(pthread_attr), fill(b, 0, 128)), pthread_attr_setsigmask_np(OF, (sigset_t *)b), (W(a, SIZE), R(b, 128)))
ROW(pthread_attr_getsigmask_np, ({ sigset_t none; sigemptyset(&none); pthread_attr_t made; pthread_attr_init(&made); pthread_attr_setsigmask_np(&made, &none); bytes(a, &made, sizeof made); }), pthread_attr_getsigmask_np(OF, (sigset_t *)b), (R(a, SIZE), W(b, 128)))
ROW(pthread_getattr_np, NOTHING, pthread_getattr_np(pthread_self(), OF), W(a, SIZE))
ROW(pthread_getattr_default_np, NOTHING, pthread_getattr_default_np(OF), W(a, SIZE))
ROW(pthread_setattr_default_np, MADE(pthread_attr), pthread_setattr_default_np(OF), R(a, SIZE))
ROW(pthread_getname_np, NOTHING, pthread_getname_np(pthread_self(), a, 60), W(a, strlen(a) + 1))
ROW(pthread_getaffinity_np, NOTHING, pthread_getaffinity_np(pthread_self(), 128, (cpu_set_t *)a), W(a, 128))
ROW(pthread_setaffinity_np, NOTHING, pthread_setaffinity_np(pthread_self(), 128, (cpu_set_t *)a), R(a, 128))
ROW(pthread_getschedparam, NOTHING, pthread_getschedparam(pthread_self(), (int *)a, (struct sched_param *)b), (W(a, 4), W(b, 4)))
ROW(pthread_setschedparam, integer(b, 0), pthread_setschedparam(pthread_self(), SCHED_OTHER, (struct sched_param *)b), R(b, 4))
ROW(pthread_getcpuclockid, NOTHING, pthread_getcpuclockid(pthread_self(), (clockid_t *)a), W(a, 4))
ROW(pthread_setcancelstate, NOTHING, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, (int *)a), W(a, 4))
ROW(pthread_setcanceltype, NOTHING, pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, (int *)a), W(a, 4))
ROW(pthread_key_create, NOTHING, pthread_key_create((pthread_key_t *)a, 0), W(a, 4))
ROW(tss_create, NOTHING, tss_create((tss_t *)a, 0), W(a, 4))
static pthread_mutex_t ceiling;
ROW(pthread_mutex_getprioceiling, ({ pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_PROTECT); pthread_mutex_init(&ceiling, &kind); }), pthread_mutex_getprioceiling(&ceiling, (int *)a), W(a, 4))

MAIN
