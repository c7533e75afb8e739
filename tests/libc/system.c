// The system, the process, its children, its environment.
#include "rows.h"

#include <locale.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <grp.h>

size_t __confstr_chk(int, char *, size_t, size_t);
int __gethostname_chk(char *, size_t, size_t), __getdomainname_chk(char *, size_t, size_t);
int __getgroups_chk(int, gid_t *, size_t), __getlogin_r_chk(char *, size_t, size_t);
pid_t __wait(int *), __waitpid(pid_t, int *, int);
#define LIMIT sizeof(struct rlimit)
#define USAGE sizeof(struct rusage)
#define LENGTH(p) (strlen(p) + 1)
// A child that ends at once.
INVISIBLE void child(void) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(57L) : "rcx", "r11", "memory");
    if (result == 0) __asm__ volatile("syscall" : : "a"(231L), "D"(7L) : "rcx", "r11", "memory");
}

ROW(times, NOTHING, number = times((struct tms *)a), W(a, sizeof(struct tms)))
ROW(getrusage, NOTHING, getrusage(RUSAGE_SELF, (struct rusage *)a), W(a, USAGE))
ROW(getrlimit, NOTHING, getrlimit(RLIMIT_CPU, (struct rlimit *)a), W(a, LIMIT))
ROW(getrlimit64, NOTHING, getrlimit64(RLIMIT_CPU, (struct rlimit64 *)a), W(a, LIMIT))
ROW(setrlimit, fill(b, -1, LIMIT), setrlimit(RLIMIT_CPU, (struct rlimit *)b), R(b, LIMIT))
ROW(setrlimit64, fill(b, -1, LIMIT), setrlimit64(RLIMIT_CPU, (struct rlimit64 *)b), R(b, LIMIT))
ROW(prlimit, fill(b, -1, LIMIT), prlimit(0, RLIMIT_CPU, (struct rlimit *)b, (struct rlimit *)c), (R(b, LIMIT), W(c, LIMIT)))
ROW(prlimit64, fill(b, -1, LIMIT), prlimit64(0, RLIMIT_CPU, (struct rlimit64 *)b, (struct rlimit64 *)c), (R(b, LIMIT), W(c, LIMIT)))
ROW(uname, NOTHING, uname((struct utsname *)a), W(a, sizeof(struct utsname)))
ROW(sysinfo, NOTHING, sysinfo((struct sysinfo *)a), W(a, sizeof(struct sysinfo)))
ROW(getloadavg, NOTHING, number = getloadavg((double *)a, 2), W(a, 16))
ROW(getcpu, NOTHING, getcpu((unsigned *)a, (unsigned *)b), (W(a, 4), W(b, 4)))
ROW(confstr, NOTHING, number = confstr(_CS_PATH, a, 60), W(a, LENGTH(a)))
ROW(confstr_V_cut, NOTHING, number = confstr(_CS_PATH, a, 5), W(a, 5))
ROW(__confstr_chk, NOTHING, number = __confstr_chk(_CS_PATH, a, 60, 90), W(a, LENGTH(a)))
ROW(gethostname, NOTHING, gethostname(a, 200), W(a, LENGTH(a)))
ROW(__gethostname_chk, NOTHING, __gethostname_chk(a, 200, 300), W(a, LENGTH(a)))
ROW(getdomainname, NOTHING, getdomainname(a, 200), W(a, LENGTH(a)))
ROW(__getdomainname_chk, NOTHING, __getdomainname_chk(a, 200, 300), W(a, LENGTH(a)))
ROW(sethostname, NOTHING, sethostname(a, 400), R(a, 400))
ROW(setdomainname, NOTHING, setdomainname(a, 400), R(a, 400))
ROW(getgroups, NOTHING, number = getgroups(100, (gid_t *)a), W(a, number * 4))
ROW(__getgroups_chk, NOTHING, number = __getgroups_chk(100, (gid_t *)a, 400), W(a, number * 4))
ROW(setgroups, NOTHING, setgroups(1 << 20, (gid_t *)0), NOTHING)
ROW(getresuid, NOTHING, getresuid((uid_t *)a, (uid_t *)b, (uid_t *)c), (W(a, 4), W(b, 4), W(c, 4)))
ROW(getresgid, NOTHING, getresgid((gid_t *)a, (gid_t *)b, (gid_t *)c), (W(a, 4), W(b, 4), W(c, 4)))
// Where nobody has logged in, it fails, and writes nothing.
ROW(getlogin_r, NOTHING, number = getlogin_r(a, 60), W(a, number == 0 ? LENGTH(a) : 0))
ROW(__getlogin_r_chk, NOTHING, number = __getlogin_r_chk(a, 60, 90), W(a, number == 0 ? LENGTH(a) : 0))

ROW(wait, child(), wait((int *)a), W(a, 4))
ROW(waitpid, child(), waitpid(-1, (int *)a, 0), W(a, 4))
ROW(waitpid_V_none, NOTHING, waitpid(-1, (int *)a, WNOHANG), NOTHING)
ROW(__wait, child(), __wait((int *)a), W(a, 4))
ROW(__waitpid, child(), __waitpid(-1, (int *)a, 0), W(a, 4))
ROW(wait3, child(), wait3((int *)a, 0, (struct rusage *)b), (W(a, 4), W(b, USAGE)))
ROW(wait4, child(), wait4(-1, (int *)a, 0, (struct rusage *)b), (W(a, 4), W(b, USAGE)))
ROW(waitid, child(), waitid(P_ALL, 0, (siginfo_t *)a, WEXITED), (W(a, 12), W(a + 16, 12)))
ROW(system, text(a, "true"), number = system(a), R(a, 5))

ROW(sched_getaffinity, NOTHING, sched_getaffinity(0, 128, (cpu_set_t *)a), W(a, 128))
ROW(__sched_cpucount, fill(a, 1, 128), number = CPU_COUNT((cpu_set_t *)a), (R(a, 128), CHECK(number == 128)))
ROW(sched_setaffinity, NOTHING, sched_setaffinity(0, 128, (cpu_set_t *)a), R(a, 128))
ROW(sched_getparam, NOTHING, sched_getparam(0, (struct sched_param *)a), W(a, 4))
ROW(sched_setparam, integer(a, 0), sched_setparam(0, (struct sched_param *)a), R(a, 4))
ROW(sched_setscheduler, integer(a, 0), sched_setscheduler(0, SCHED_OTHER, (struct sched_param *)a), R(a, 4))
ROW(sched_rr_get_interval, NOTHING, sched_rr_get_interval(0, (struct timespec *)a), W(a, 16))

ROW(getenv, text(a, "PATH"), got = getenv(a), R(a, 5))
ROW(secure_getenv, text(a, "PATH"), got = secure_getenv(a), R(a, 5))
ROW(setenv, (text(a, "ROW"), text(b, "one")), setenv(a, b, 1), (R(a, 4), R(b, 4)))
ROW(unsetenv, text(a, "ROW"), unsetenv(a), R(a, 4))
ROW(putenv, text(a, "ROW=two"), putenv(a), R(a, 8))
ROW(setlocale, text(a, "C"), got = setlocale(LC_ALL, a), R(a, 2))
ROW(newlocale, text(a, "C"), got = newlocale(LC_ALL_MASK, a, 0), R(a, 2))
static char pages[3 * 4096] __attribute__((aligned(4096)));
ROW(mincore, NOTHING, mincore(pages, sizeof pages - 5, (unsigned char *)a), W(a, 3))

MAIN
