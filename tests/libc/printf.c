// The printf and scanf families: formats, strings, and where results go.
#include "rows.h"

#include <err.h>
#include <error.h>
#include <obstack.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <syslog.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

// A file with this content, from its start.
INVISIBLE FILE *file(const char *content) {
    int fd = memfd_create("row", 0);
    CHECK(pwrite(fd, content, strlen(content), 0) >= 0);
    return fdopen(fd, "r+");
}
static FILE *stream;
static int fd;
#define OPEN(content) (stream = file(content))
#define STDIN(content) (stdin = file(content))
#define NULL_STREAM (stream = fopen("/dev/null", "w+"))
#define NULL_FD (fd = fileno(fopen("/dev/null", "w+")))
#define QUIET (stdout = stderr = fopen("/dev/null", "w"))

#define LIST(name, result, call, ...)                             \
    static result list_##name(__VA_ARGS__, ...) __attribute__((noinline)); \
    static result list_##name(__VA_ARGS__, ...) {                 \
        va_list list;                                             \
        va_start(list, last);                                     \
        call;                                                     \
        va_end(list);                                             \
    }
int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...), __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...), __dprintf_chk(int, int, const char *, ...);
int __vprintf_chk(int, const char *, va_list), __vfprintf_chk(FILE *, int, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list), __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list), __vdprintf_chk(int, int, const char *, va_list);
int __wprintf_chk(int, const wchar_t *, ...), __fwprintf_chk(FILE *, int, const wchar_t *, ...);
int __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
int __vwprintf_chk(int, const wchar_t *, va_list), __vfwprintf_chk(FILE *, int, const wchar_t *, va_list);
int __vswprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, va_list);
int __obstack_printf_chk(struct obstack *, int, const char *, ...), __obstack_vprintf_chk(struct obstack *, int, const char *, va_list);
void __syslog_chk(int, int, const char *, ...), __vsyslog_chk(int, int, const char *, va_list);
int __isoc99_scanf(const char *, ...), __isoc99_fscanf(FILE *, const char *, ...), __isoc99_sscanf(const char *, const char *, ...);
int __isoc99_vscanf(const char *, va_list), __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vsscanf(const char *, const char *, va_list);
int __isoc99_wscanf(const wchar_t *, ...), __isoc99_fwscanf(FILE *, const wchar_t *, ...);
int __isoc99_swscanf(const wchar_t *, const wchar_t *, ...);
int __isoc99_vwscanf(const wchar_t *, va_list), __isoc99_vfwscanf(FILE *, const wchar_t *, va_list);
int __isoc99_vswscanf(const wchar_t *, const wchar_t *, va_list);
// The names that glibc gives to its older forms, which headers replace.
int old_scanf(const char *, ...) __asm__("scanf"), old_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int old_sscanf(const char *, const char *, ...) __asm__("sscanf"), old_vscanf(const char *, va_list) __asm__("vscanf");
int old_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf"), old_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
int old_wscanf(const wchar_t *, ...) __asm__("wscanf"), old_fwscanf(FILE *, const wchar_t *, ...) __asm__("fwscanf");
int old_swscanf(const wchar_t *, const wchar_t *, ...) __asm__("swscanf"), old_vwscanf(const wchar_t *, va_list) __asm__("vwscanf");
int old_vfwscanf(FILE *, const wchar_t *, va_list) __asm__("vfwscanf");
int old_vswscanf(const wchar_t *, const wchar_t *, va_list) __asm__("vswscanf");

// Format in a, string in b, target in c, address of a new block in d.
#define FORMAT (text(a, "%s-%d"), text(b, "hello"))
#define READS R(a, 6), R(b, 6)
ROW(printf, (FORMAT, QUIET), printf(a, b, 7), (READS))
ROW(fprintf, (FORMAT, NULL_STREAM), fprintf(stream, a, b, 7), (READS))
ROW(dprintf, (FORMAT, NULL_FD), dprintf(fd, a, b, 7), (READS))
ROW(sprintf, FORMAT, sprintf(c, a, b, 7), (READS, W(c, 8)))
ROW(snprintf, FORMAT, snprintf(c, 20, a, b, 7), (READS, W(c, 8)))
ROW(snprintf_V_cut, FORMAT, snprintf(c, 5, a, b, 7), (READS, W(c, 5)))
ROW(snprintf_V_precision, (text(a, "%.*s%n"), text(b, "hello")), snprintf(c, 20, a, 3, b, (int *)d), (R(a, 7), R(b, 3), W(c, 4), W(d, 4)))
ROW(snprintf_V_position, (text(a, "%2$s %1$ls"), text(b, "hello"), wide(d, L"x")), snprintf(c, 20, a, d, b), (R(a, 11), R(b, 6), R(d, 8), W(c, 8)))
ROW(snprintf_V_kinds, (text(a, "%f%Lf%c%s%p%m%%%hhn"), text(b, "hello")), number = snprintf(c, 60, a, 1.5, 2.5L, 'x', b, a, d), (R(a, 20), R(b, 6), W(c, number + 1), W(d, 1)))
ROW(asprintf, FORMAT, asprintf((char **)d, a, b, 7), (READS, W(d, 8), W(*(char **)d, 8)))
LIST(vprintf, int, return vprintf(last, list), const char *last)
ROW(vprintf, FORMAT, list_vprintf(a, b, 7), (READS))
LIST(vfprintf, int, return vfprintf(stream, last, list), const char *last)
ROW(vfprintf, (FORMAT, NULL_STREAM), list_vfprintf(a, b, 7), (READS))
LIST(vdprintf, int, return vdprintf(fd, last, list), const char *last)
ROW(vdprintf, (FORMAT, NULL_FD), list_vdprintf(a, b, 7), (READS))
LIST(vsprintf, int, return vsprintf(c, last, list), const char *last)
ROW(vsprintf, FORMAT, list_vsprintf(a, b, 7), (READS, W(c, 8)))
LIST(vsnprintf, int, return vsnprintf(c, 5, last, list), const char *last)
ROW(vsnprintf, FORMAT, list_vsnprintf(a, b, 7), (READS, W(c, 5)))
LIST(vasprintf, int, return vasprintf((char **)d, last, list), const char *last)
ROW(vasprintf, FORMAT, list_vasprintf(a, b, 7), (READS, W(d, 8), W(*(char **)d, 8)))

ROW(__printf_chk, FORMAT, __printf_chk(1, a, b, 7), (READS))
ROW(__fprintf_chk, (FORMAT, NULL_STREAM), __fprintf_chk(stream, 1, a, b, 7), (READS))
ROW(__dprintf_chk, (FORMAT, NULL_FD), __dprintf_chk(fd, 1, a, b, 7), (READS))
ROW(__sprintf_chk, FORMAT, __sprintf_chk(c, 1, 60, a, b, 7), (READS, W(c, 8)))
ROW(__snprintf_chk, FORMAT, __snprintf_chk(c, 5, 1, 60, a, b, 7), (READS, W(c, 5)))
ROW(__asprintf_chk, FORMAT, __asprintf_chk((char **)d, 1, a, b, 7), (READS, W(d, 8), W(*(char **)d, 8)))
LIST(__vprintf_chk, int, return __vprintf_chk(1, last, list), const char *last)
ROW(__vprintf_chk, FORMAT, list___vprintf_chk(a, b, 7), (READS))
LIST(__vfprintf_chk, int, return __vfprintf_chk(stream, 1, last, list), const char *last)
ROW(__vfprintf_chk, (FORMAT, NULL_STREAM), list___vfprintf_chk(a, b, 7), (READS))
LIST(__vdprintf_chk, int, return __vdprintf_chk(fd, 1, last, list), const char *last)
ROW(__vdprintf_chk, (FORMAT, NULL_FD), list___vdprintf_chk(a, b, 7), (READS))
LIST(__vsprintf_chk, int, return __vsprintf_chk(c, 1, 60, last, list), const char *last)
ROW(__vsprintf_chk, FORMAT, list___vsprintf_chk(a, b, 7), (READS, W(c, 8)))
LIST(__vsnprintf_chk, int, return __vsnprintf_chk(c, 5, 1, 60, last, list), const char *last)
ROW(__vsnprintf_chk, FORMAT, list___vsnprintf_chk(a, b, 7), (READS, W(c, 5)))
LIST(__vasprintf_chk, int, return __vasprintf_chk((char **)d, 1, last, list), const char *last)
ROW(__vasprintf_chk, FORMAT, list___vasprintf_chk(a, b, 7), (READS, W(d, 8), W(*(char **)d, 8)))

// A number and a word; what is assigned is written.
#define SCAN text(a, "%d %s")
#define SCANNED R(a, 6), W(b, 4), W(c, 6)
ROW(scanf, (SCAN, STDIN("42 hello")), number = old_scanf(a, b, c), (SCANNED))
ROW(fscanf, (SCAN, OPEN("42 hello")), number = old_fscanf(stream, a, b, c), (SCANNED))
ROW(fscanf_V_stops, (SCAN, OPEN("42")), number = old_fscanf(stream, a, b, c), (R(a, 6), W(b, 4)))
ROW(sscanf, (SCAN, text(d, "42 hello")), number = old_sscanf(d, a, b, c), (SCANNED, R(d, 9)))
ROW(__isoc99_scanf, (SCAN, STDIN("42 hello")), number = __isoc99_scanf(a, b, c), (SCANNED))
ROW(__isoc99_fscanf, (SCAN, OPEN("42 hello")), number = __isoc99_fscanf(stream, a, b, c), (SCANNED))
ROW(__isoc99_sscanf, (SCAN, text(d, "42 hello")), number = __isoc99_sscanf(d, a, b, c), (SCANNED, R(d, 9)))
ROW(__isoc99_sscanf_V_kinds, text(a, "1.5 2.5 3.5 abc xyz"),
    number = __isoc99_sscanf(a, "%f %lf %Lf %2c%*c %ms", b, b + 32, b + 64, c, d),
    (R(a, 20), W(b, 4), W(b + 32, 8), W(b + 64, 10), W(c, 2), W(d, 8), W(*(char **)d, 4)))
LIST(vscanf, int, return old_vscanf(last, list), const char *last)
ROW(vscanf, (SCAN, STDIN("42 hello")), number = list_vscanf(a, b, c), (SCANNED))
LIST(vfscanf, int, return old_vfscanf(stream, last, list), const char *last)
ROW(vfscanf, (SCAN, OPEN("42 hello")), number = list_vfscanf(a, b, c), (SCANNED))
LIST(vsscanf, int, return old_vsscanf(d, last, list), const char *last)
ROW(vsscanf, (SCAN, text(d, "42 hello")), number = list_vsscanf(a, b, c), (SCANNED, R(d, 9)))
LIST(__isoc99_vscanf, int, return __isoc99_vscanf(last, list), const char *last)
ROW(__isoc99_vscanf, (SCAN, STDIN("42 hello")), number = list___isoc99_vscanf(a, b, c), (SCANNED))
LIST(__isoc99_vfscanf, int, return __isoc99_vfscanf(stream, last, list), const char *last)
ROW(__isoc99_vfscanf, (SCAN, OPEN("42 hello")), number = list___isoc99_vfscanf(a, b, c), (SCANNED))
LIST(__isoc99_vsscanf, int, return __isoc99_vsscanf(d, last, list), const char *last)
ROW(__isoc99_vsscanf, (SCAN, text(d, "42 hello")), number = list___isoc99_vsscanf(a, b, c), (SCANNED, R(d, 9)))

#define A ((wchar_t *)a)
#define C ((wchar_t *)c)
#define D ((wchar_t *)d)
#define WIDE (wide(a, L"%s-%d"), text(b, "hello"))
#define READS_WIDE R(a, 24), R(b, 6)
#define NEW_STDOUT (stdout = fopen("/dev/null", "w"))
ROW(wprintf, (WIDE, NEW_STDOUT), wprintf(A, b, 7), (READS_WIDE))
ROW(fwprintf, (WIDE, NULL_STREAM), fwprintf(stream, A, b, 7), (READS_WIDE))
ROW(swprintf, WIDE, swprintf(C, 20, A, b, 7), (READS_WIDE, W(c, 32)))
LIST(vwprintf, int, return vwprintf(last, list), const wchar_t *last)
ROW(vwprintf, (WIDE, NEW_STDOUT), list_vwprintf(A, b, 7), (READS_WIDE))
LIST(vfwprintf, int, return vfwprintf(stream, last, list), const wchar_t *last)
ROW(vfwprintf, (WIDE, NULL_STREAM), list_vfwprintf(A, b, 7), (READS_WIDE))
LIST(vswprintf, int, return vswprintf(C, 20, last, list), const wchar_t *last)
ROW(vswprintf, WIDE, list_vswprintf(A, b, 7), (READS_WIDE, W(c, 32)))
ROW(__wprintf_chk, (WIDE, NEW_STDOUT), __wprintf_chk(1, A, b, 7), (READS_WIDE))
ROW(__fwprintf_chk, (WIDE, NULL_STREAM), __fwprintf_chk(stream, 1, A, b, 7), (READS_WIDE))
ROW(__swprintf_chk, WIDE, __swprintf_chk(C, 20, 1, 30, A, b, 7), (READS_WIDE, W(c, 32)))
LIST(__vwprintf_chk, int, return __vwprintf_chk(1, last, list), const wchar_t *last)
ROW(__vwprintf_chk, (WIDE, NEW_STDOUT), list___vwprintf_chk(A, b, 7), (READS_WIDE))
LIST(__vfwprintf_chk, int, return __vfwprintf_chk(stream, 1, last, list), const wchar_t *last)
ROW(__vfwprintf_chk, (WIDE, NULL_STREAM), list___vfwprintf_chk(A, b, 7), (READS_WIDE))
LIST(__vswprintf_chk, int, return __vswprintf_chk(C, 20, 1, 30, last, list), const wchar_t *last)
ROW(__vswprintf_chk, WIDE, list___vswprintf_chk(A, b, 7), (READS_WIDE, W(c, 32)))

#define SCAN_WIDE wide(a, L"%d %ls")
#define SCANNED_WIDE R(a, 28), W(b, 4), W(c, 24)
ROW(wscanf, (SCAN_WIDE, STDIN("42 hello")), number = old_wscanf(A, b, c), (SCANNED_WIDE))
ROW(fwscanf, (SCAN_WIDE, OPEN("42 hello")), number = old_fwscanf(stream, A, b, c), (SCANNED_WIDE))
ROW(swscanf, (SCAN_WIDE, wide(d, L"42 hello")), number = old_swscanf(D, A, b, c), (SCANNED_WIDE, R(d, 36)))
ROW(__isoc99_wscanf, (SCAN_WIDE, STDIN("42 hello")), number = __isoc99_wscanf(A, b, c), (SCANNED_WIDE))
ROW(__isoc99_fwscanf, (SCAN_WIDE, OPEN("42 hello")), number = __isoc99_fwscanf(stream, A, b, c), (SCANNED_WIDE))
ROW(__isoc99_swscanf, (SCAN_WIDE, wide(d, L"42 hello")), number = __isoc99_swscanf(D, A, b, c), (SCANNED_WIDE, R(d, 36)))
LIST(vwscanf, int, return old_vwscanf(last, list), const wchar_t *last)
ROW(vwscanf, (SCAN_WIDE, STDIN("42 hello")), number = list_vwscanf(A, b, c), (SCANNED_WIDE))
LIST(vfwscanf, int, return old_vfwscanf(stream, last, list), const wchar_t *last)
ROW(vfwscanf, (SCAN_WIDE, OPEN("42 hello")), number = list_vfwscanf(A, b, c), (SCANNED_WIDE))
LIST(vswscanf, int, return old_vswscanf(D, last, list), const wchar_t *last)
ROW(vswscanf, (SCAN_WIDE, wide(d, L"42 hello")), number = list_vswscanf(A, b, c), (SCANNED_WIDE, R(d, 36)))
LIST(__isoc99_vwscanf, int, return __isoc99_vwscanf(last, list), const wchar_t *last)
ROW(__isoc99_vwscanf, (SCAN_WIDE, STDIN("42 hello")), number = list___isoc99_vwscanf(A, b, c), (SCANNED_WIDE))
LIST(__isoc99_vfwscanf, int, return __isoc99_vfwscanf(stream, last, list), const wchar_t *last)
ROW(__isoc99_vfwscanf, (SCAN_WIDE, OPEN("42 hello")), number = list___isoc99_vfwscanf(A, b, c), (SCANNED_WIDE))
LIST(__isoc99_vswscanf, int, return __isoc99_vswscanf(D, last, list), const wchar_t *last)
ROW(__isoc99_vswscanf, (SCAN_WIDE, wide(d, L"42 hello")), number = list___isoc99_vswscanf(A, b, c), (SCANNED_WIDE, R(d, 36)))

// Messages. What ends the process is tried in a child of it, elsewhere.
ROW(syslog, FORMAT, syslog(LOG_DEBUG, a, b, 7), (READS))
ROW(__syslog_chk, FORMAT, __syslog_chk(LOG_DEBUG, 1, a, b, 7), (READS))
LIST(vsyslog, void, vsyslog(LOG_DEBUG, last, list), const char *last)
ROW(vsyslog, FORMAT, list_vsyslog(a, b, 7), (READS))
LIST(__vsyslog_chk, void, __vsyslog_chk(LOG_DEBUG, 1, last, list), const char *last)
ROW(__vsyslog_chk, FORMAT, list___vsyslog_chk(a, b, 7), (READS))
ROW(openlog, text(a, "row"), (openlog(a, 0, LOG_USER), closelog()), R(a, 4))
ROW(warn, (FORMAT, QUIET), warn(a, b, 7), (READS))
ROW(warnx, FORMAT, warnx(a, b, 7), (READS))
LIST(vwarn, void, vwarn(last, list), const char *last)
ROW(vwarn, FORMAT, list_vwarn(a, b, 7), (READS))
LIST(vwarnx, void, vwarnx(last, list), const char *last)
ROW(vwarnx, FORMAT, list_vwarnx(a, b, 7), (READS))
ROW(error, FORMAT, error(0, 0, a, b, 7), (READS))
ROW(error_at_line, (FORMAT, text(c, "file")), error_at_line(0, 0, c, 5, a, b, 7), (READS, R(c, 5)))
ROW(psignal, text(a, "row"), psignal(1, a), R(a, 4))
ROW(psiginfo, (text(a, "row"), fill(b, 0, sizeof(siginfo_t)), integer(b, 1)), psiginfo((siginfo_t *)b, a), (R(a, 4), R(b, sizeof(siginfo_t))))
void herror(const char *);
ROW(herror, text(a, "row"), herror(a), R(a, 4))
ROW(perror, text(a, "row"), perror(a), R(a, 4))

static struct obstack stack;
ROW(obstack_printf, (FORMAT, obstack_init(&stack)), obstack_printf(&stack, a, b, 7), (READS))
ROW(__obstack_printf_chk, FORMAT, __obstack_printf_chk(&stack, 1, a, b, 7), (READS))
LIST(obstack_vprintf, void, obstack_vprintf(&stack, last, list), const char *last)
ROW(obstack_vprintf, FORMAT, list_obstack_vprintf(a, b, 7), (READS))
LIST(__obstack_vprintf_chk, void, __obstack_vprintf_chk(&stack, 1, last, list), const char *last)
ROW(__obstack_vprintf_chk, FORMAT, list___obstack_vprintf_chk(a, b, 7), (READS))

MAIN
