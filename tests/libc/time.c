// Time.
#include "rows.h"

#include <locale.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <threads.h>
#include <time.h>

#define TM sizeof(struct tm)
#define TS sizeof(struct timespec)
#define TV sizeof(struct timeval)
#define IT sizeof(struct itimerval)
#define NOW word(a, 1000000000)
#define ZERO(p, n) fill(p, 0, n)
#define AS_TM(p) ((struct tm *)(p))
#define AS_TS(p) ((struct timespec *)(p))
#define AS_TV(p) ((struct timeval *)(p))
int __clock_gettime(clockid_t, struct timespec *), __nanosleep(const struct timespec *, struct timespec *);
#define YEAR (bytes(a, &(struct tm){.tm_year = 100, .tm_mday = 1}, TM))
static timer_t timer;
#define TIMER timer_create(CLOCK_MONOTONIC, 0, &timer)

ROW(time, NOTHING, number = time((time_t *)a), W(a, 8))
ROW(gettimeofday, NOTHING, gettimeofday(AS_TV(a), 0), W(a, TV))
ROW(clock_gettime, NOTHING, clock_gettime(CLOCK_REALTIME, AS_TS(a)), W(a, TS))
ROW(clock_gettime_V_fails, NOTHING, clock_gettime(9999, AS_TS(a)), NOTHING)
ROW(__clock_gettime, NOTHING, __clock_gettime(CLOCK_REALTIME, AS_TS(a)), W(a, TS))
ROW(clock_getres, NOTHING, clock_getres(CLOCK_REALTIME, AS_TS(a)), W(a, TS))
ROW(timespec_get, NOTHING, timespec_get(AS_TS(a), TIME_UTC), W(a, TS))
ROW(timespec_getres, NOTHING, timespec_getres(AS_TS(a), TIME_UTC), W(a, TS))
ROW(nanosleep, ZERO(a, TS), nanosleep(AS_TS(a), AS_TS(b)), R(a, TS))
ROW(__nanosleep, ZERO(a, TS), __nanosleep(AS_TS(a), AS_TS(b)), R(a, TS))
ROW(clock_nanosleep, ZERO(a, TS), clock_nanosleep(CLOCK_MONOTONIC, 0, AS_TS(a), AS_TS(b)), R(a, TS))
ROW(thrd_sleep, ZERO(a, TS), thrd_sleep(AS_TS(a), AS_TS(b)), R(a, TS))
// It would set the clock, so it is asked what it refuses.
ROW(clock_settime, NOTHING, clock_settime(CLOCK_MONOTONIC, AS_TS(a)), R(a, TS))
ROW(settimeofday, (word(a, -1), word(a + 8, -1)), settimeofday(AS_TV(a), 0), R(a, TV))
ROW(localtime, NOW, got = localtime((time_t *)a), (R(a, 8), W(got, TM)))
ROW(gmtime, NOW, got = gmtime((time_t *)a), (R(a, 8), W(got, TM)))
ROW(localtime_r, NOW, got = localtime_r((time_t *)a, AS_TM(b)), (R(a, 8), W(b, TM)))
ROW(gmtime_r, NOW, got = gmtime_r((time_t *)a, AS_TM(b)), (R(a, 8), W(b, TM)))
ROW(mktime, YEAR, number = mktime(AS_TM(a)), W(a, TM))
ROW(timegm, YEAR, number = timegm(AS_TM(a)), W(a, TM))
ROW(timelocal, YEAR, number = timelocal(AS_TM(a)), W(a, TM))
ROW(asctime, YEAR, got = asctime(AS_TM(a)), (R(a, TM), W(got, 26)))
ROW(asctime_r, YEAR, got = asctime_r(AS_TM(a), b), (R(a, TM), W(b, 26)))
ROW(ctime, NOW, got = ctime((time_t *)a), (R(a, 8), W(got, 26)))
ROW(ctime_r, NOW, got = ctime_r((time_t *)a, b), (R(a, 8), W(b, 26)))
ROW(strftime, (YEAR, text(b, "%Y")), number = strftime(c, 20, b, AS_TM(a)), (R(a, TM), R(b, 3), W(c, 5)))
ROW(strftime_l, (YEAR, text(b, "%Y"), got = newlocale(LC_ALL_MASK, "C", 0)), number = strftime_l(c, 20, b, AS_TM(a), got), (R(a, TM), R(b, 3), W(c, 5)))
ROW(strptime, (text(a, "2000"), text(b, "%Y")), got = strptime(a, b, AS_TM(c)), (R(a, 5), R(b, 3), W(c, TM)))
ROW(strptime_l, (text(a, "2000"), text(b, "%Y"), got = newlocale(LC_ALL_MASK, "C", 0)), got = strptime_l(a, b, AS_TM(c), got), (R(a, 5), R(b, 3), W(c, TM)))
ROW(getdate, text(a, "2000"), got = getdate(a), R(a, 5))
ROW(getdate_r, text(a, "2000"), number = getdate_r(a, AS_TM(c)), R(a, 5))
ROW(adjtime, NOTHING, adjtime(0, AS_TV(b)), W(b, TV))
ROW(adjtimex, ZERO(a, sizeof(struct timex)), adjtimex((struct timex *)a), W(a, sizeof(struct timex)))
ROW(ntp_adjtime, ZERO(a, sizeof(struct timex)), ntp_adjtime((struct timex *)a), W(a, sizeof(struct timex)))
ROW(clock_adjtime, ZERO(a, sizeof(struct timex)), clock_adjtime(CLOCK_REALTIME, (struct timex *)a), W(a, sizeof(struct timex)))
ROW(clock_getcpuclockid, NOTHING, clock_getcpuclockid(0, (clockid_t *)a), W(a, 4))
ROW(getitimer, NOTHING, getitimer(ITIMER_REAL, (struct itimerval *)a), W(a, IT))
ROW(setitimer, ZERO(a, IT), setitimer(ITIMER_REAL, (struct itimerval *)a, (struct itimerval *)b), (R(a, IT), W(b, IT)))
ROW(timer_gettime, TIMER, timer_gettime(timer, (struct itimerspec *)a), W(a, IT))
ROW(timer_settime, (TIMER, ZERO(a, IT)), timer_settime(timer, 0, (struct itimerspec *)a, (struct itimerspec *)b), (R(a, IT), W(b, IT)))
ROW(timerfd_gettime, number = timerfd_create(CLOCK_MONOTONIC, 0), timerfd_gettime(number, (struct itimerspec *)a), W(a, IT))
ROW(timerfd_settime, (number = timerfd_create(CLOCK_MONOTONIC, 0), ZERO(a, IT)), timerfd_settime(number, 0, (struct itimerspec *)a, (struct itimerspec *)b), (R(a, IT), W(b, IT)))

MAIN
