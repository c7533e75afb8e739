// Strings of bytes.
#include "rows.h"

#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#undef basename

char *__strdup(const char *), *__strndup(const char *, size_t), *__stpcpy(char *, const char *);
char *__stpncpy(char *, const char *, size_t), *__strtok_r(char *, const char *, char **);
int __strcasecmp(const char *, const char *), __strverscmp(const char *, const char *);
char *__strcasestr(const char *, const char *), *__strerror_r(int, char *, size_t);
int __xpg_strerror_r(int, char *, size_t);
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t), *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
long __strtol_internal(const char *, char **, int, int), __strtoll_internal(const char *, char **, int, int);
unsigned long __strtoul_internal(const char *, char **, int, int), __strtoull_internal(const char *, char **, int, int);
float __strtof_internal(const char *, char **, int);
double __strtod_internal(const char *, char **, int);
char *basename(const char *);
long a64l(const char *);
int rpmatch(const char *);

ROW(strlen, text(a, "hello"), number = strlen(a), R(a, 6))
ROW(strnlen, text(a, "hello"), number = strnlen(a, 9), R(a, 6))
ROW(strnlen_V_cut, text(a, "hello"), number = strnlen(a, 3), R(a, 3))
ROW(strcpy, text(a, "hello"), strcpy(b, a), (R(a, 6), W(b, 6)))
ROW(stpcpy, text(a, "hello"), stpcpy(b, a), (R(a, 6), W(b, 6)))
ROW(strncpy, text(a, "hello"), strncpy(b, a, 9), (R(a, 6), W(b, 9)))
ROW(strncpy_V_cut, text(a, "hello"), strncpy(b, a, 3), (R(a, 3), W(b, 3)))
ROW(stpncpy, text(a, "hello"), stpncpy(b, a, 9), (R(a, 6), W(b, 9)))
ROW(strcat, (text(a, "hello"), text(b, "say ")), strcat(b, a), (R(a, 6), R(b, 4), W(b + 4, 6)))
ROW(strncat, (text(a, "hello"), text(b, "say ")), strncat(b, a, 3), (R(a, 3), R(b, 4), W(b + 4, 4)))
ROW(strncat_V_whole, (text(a, "hello"), text(b, "say ")), strncat(b, a, 9), (R(a, 6), R(b, 4), W(b + 4, 6)))
ROW(strdup, text(a, "hello"), got = strdup(a), (R(a, 6), W(got, 6)))
ROW(strndup, text(a, "hello"), got = strndup(a, 3), (R(a, 3), W(got, 4)))
ROW(__strdup, text(a, "hello"), got = __strdup(a), (R(a, 6), W(got, 6)))
ROW(__strndup, text(a, "hello"), got = __strndup(a, 9), (R(a, 6), W(got, 6)))
ROW(__stpcpy, text(a, "hello"), __stpcpy(b, a), (R(a, 6), W(b, 6)))
ROW(__stpncpy, text(a, "hello"), __stpncpy(b, a, 3), (R(a, 3), W(b, 3)))
ROW(__strcpy_chk, text(a, "hello"), __strcpy_chk(b, a, 64), (R(a, 6), W(b, 6)))
ROW(__stpcpy_chk, text(a, "hello"), __stpcpy_chk(b, a, 64), (R(a, 6), W(b, 6)))
ROW(__strncpy_chk, text(a, "hello"), __strncpy_chk(b, a, 9, 64), (R(a, 6), W(b, 9)))
ROW(__stpncpy_chk, text(a, "hello"), __stpncpy_chk(b, a, 9, 64), (R(a, 6), W(b, 9)))
ROW(__strcat_chk, (text(a, "hello"), text(b, "say ")), __strcat_chk(b, a, 64), (R(a, 6), R(b, 4), W(b + 4, 6)))
ROW(__strncat_chk, (text(a, "hello"), text(b, "say ")), __strncat_chk(b, a, 3, 64), (R(a, 3), R(b, 4), W(b + 4, 4)))

ROW(strcmp, (text(a, "helps"), text(b, "hello")), number = strcmp(a, b), (R(a, 4), R(b, 4)))
ROW(strcmp_V_same, (text(a, "hello"), text(b, "hello")), number = strcmp(a, b), (R(a, 6), R(b, 6)))
ROW(strncmp, (text(a, "hello"), text(b, "hello")), number = strncmp(a, b, 3), (R(a, 3), R(b, 3)))
ROW(strcasecmp, (text(a, "HElps"), text(b, "hello")), number = strcasecmp(a, b), (R(a, 4), R(b, 4)))
ROW(strncasecmp, (text(a, "HELlo"), text(b, "hello")), number = strncasecmp(a, b, 3), (R(a, 3), R(b, 3)))
ROW(__strcasecmp, (text(a, "HElps"), text(b, "hello")), number = __strcasecmp(a, b), (R(a, 4), R(b, 4)))
ROW(strcasecmp_l, (text(a, "HElps"), text(b, "hello"), got = newlocale(LC_ALL_MASK, "C", 0)),
    number = strcasecmp_l(a, b, got), (R(a, 4), R(b, 4)))
ROW(strncasecmp_l, (text(a, "HElps"), text(b, "hello"), got = newlocale(LC_ALL_MASK, "C", 0)),
    number = strncasecmp_l(a, b, 3, got), (R(a, 3), R(b, 3)))
ROW(strcoll, (text(a, "hello"), text(b, "world!")), number = strcoll(a, b), (R(a, 6), R(b, 7)))
ROW(strcoll_l, (text(a, "hello"), text(b, "world!"), got = newlocale(LC_ALL_MASK, "C", 0)),
    number = strcoll_l(a, b, got), (R(a, 6), R(b, 7)))
ROW(strverscmp, (text(a, "a10"), text(b, "a9")), number = strverscmp(a, b), (R(a, 4), R(b, 3)))
ROW(__strverscmp, (text(a, "a10"), text(b, "a9")), number = __strverscmp(a, b), (R(a, 4), R(b, 3)))
ROW(strxfrm, text(a, "hello"), number = strxfrm(b, a, 20), (R(a, 6), W(b, 6)))
ROW(strxfrm_l, (text(a, "hello"), got = newlocale(LC_ALL_MASK, "C", 0)), number = strxfrm_l(b, a, 20, got), (R(a, 6), W(b, 6)))

ROW(strchr, text(a, "hello"), got = strchr(a, 'e'), R(a, 2))
ROW(strchr_V_missing, text(a, "hello"), got = strchr(a, 'x'), R(a, 6))
ROW(index, text(a, "hello"), got = index(a, 'e'), R(a, 2))
ROW(strchrnul, text(a, "hello"), got = strchrnul(a, 'x'), R(a, 6))
ROW(strrchr, text(a, "hello"), got = strrchr(a, 'e'), R(a, 6))
ROW(rindex, text(a, "hello"), got = rindex(a, 'e'), R(a, 6))
ROW(strstr, (text(a, "hello world"), text(b, "lo")), got = strstr(a, b), (R(a, 5), R(b, 3)))
ROW(strstr_V_missing, (text(a, "hello"), text(b, "la")), got = strstr(a, b), (R(a, 6), R(b, 3)))
ROW(strcasestr, (text(a, "hello world"), text(b, "LO")), got = strcasestr(a, b), (R(a, 5), R(b, 3)))
ROW(__strcasestr, (text(a, "hello world"), text(b, "LO")), got = __strcasestr(a, b), (R(a, 5), R(b, 3)))
ROW(strspn, (text(a, "hello"), text(b, "ehl")), number = strspn(a, b), (R(a, 5), R(b, 4)))
ROW(strcspn, (text(a, "hello"), text(b, "l")), number = strcspn(a, b), (R(a, 3), R(b, 2)))
ROW(strpbrk, (text(a, "hello"), text(b, "lo")), got = strpbrk(a, b), (R(a, 3), R(b, 3)))

ROW(strsep, (text(a, "one,two"), text(b, ","), word(c, (long)a)), got = strsep((char **)c, b), (W(a, 4), R(b, 2), W(c, 8)))
ROW(strtok, (text(a, "one,two"), text(b, ",")), got = strtok(a, b), (W(a, 4), R(b, 2)))
ROW(strtok_r, (text(a, "one,two"), text(b, ",")), got = strtok_r(a, b, (char **)c), (W(a, 4), R(b, 2), W(c, 8)))
ROW(__strtok_r, (text(a, "one,two"), text(b, ",")), got = __strtok_r(a, b, (char **)c), (W(a, 4), R(b, 2), W(c, 8)))

ROW(atoi, text(a, "42 more"), number = atoi(a), R(a, 3))
ROW(atol, text(a, "-42"), number = atol(a), R(a, 4))
ROW(atoll, text(a, " 42;"), number = atoll(a), R(a, 4))
ROW(atof, text(a, "1.5e3 more"), real = atof(a), R(a, 6))
ROW(strtol, text(a, "0x1fg"), number = strtol(a, (char **)b, 0), (R(a, 5), W(b, 8)))
ROW(strtol_V_none, text(a, "xyz"), number = strtol(a, 0, 10), R(a, 1))
ROW(strtoul, text(a, "77 "), number = strtoul(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtoll, text(a, "77 "), number = strtoll(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtoull, text(a, "77 "), number = strtoull(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtoq, text(a, "77 "), number = strtoq(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtouq, text(a, "77 "), number = strtouq(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtoimax, text(a, "77 "), number = strtoimax(a, (char **)b, 8), (R(a, 3), W(b, 8)))
ROW(strtoumax, text(a, "77 "), number = strtoumax(a, (char **)b, 8), (R(a, 3), W(b, 8)))
#define WITH_LOCALE(name, more) \
    ROW(name, (text(a, "77 "), got = newlocale(LC_ALL_MASK, "C", 0)), number = name(a, (char **)b more, got), (R(a, 3), W(b, 8)))
#define BASE , 8
WITH_LOCALE(strtol_l, BASE)
WITH_LOCALE(strtoul_l, BASE)
WITH_LOCALE(strtoll_l, BASE)
WITH_LOCALE(strtoull_l, BASE)
WITH_LOCALE(strtof_l, )
WITH_LOCALE(strtod_l, )
WITH_LOCALE(strtof32_l, )
WITH_LOCALE(strtof64_l, )
WITH_LOCALE(strtof32x_l, )
ROW(__strtol_internal, text(a, "77 "), number = __strtol_internal(a, (char **)b, 8, 0), (R(a, 3), W(b, 8)))
ROW(__strtoul_internal, text(a, "77 "), number = __strtoul_internal(a, (char **)b, 8, 0), (R(a, 3), W(b, 8)))
ROW(__strtoll_internal, text(a, "77 "), number = __strtoll_internal(a, (char **)b, 8, 0), (R(a, 3), W(b, 8)))
ROW(__strtoull_internal, text(a, "77 "), number = __strtoull_internal(a, (char **)b, 8, 0), (R(a, 3), W(b, 8)))
ROW(strtod, text(a, " -1.5e-3;"), real = strtod(a, (char **)b), (R(a, 9), W(b, 8)))
ROW(strtod_V_none, text(a, "  x"), real = strtod(a, 0), R(a, 3))
ROW(strtof, text(a, "inf ty"), real = strtof(a, (char **)b), (R(a, 4), W(b, 8)))
ROW(strtof32, text(a, "1.5 "), real = strtof32(a, (char **)b), (R(a, 4), W(b, 8)))
ROW(strtof64, text(a, "1.5 "), real = strtof64(a, (char **)b), (R(a, 4), W(b, 8)))
ROW(strtof32x, text(a, "1.5 "), real = strtof32x(a, (char **)b), (R(a, 4), W(b, 8)))
ROW(__strtof_internal, text(a, "1.5 "), real = __strtof_internal(a, (char **)b, 0), (R(a, 4), W(b, 8)))
ROW(__strtod_internal, text(a, "1.5 "), real = __strtod_internal(a, (char **)b, 0), (R(a, 4), W(b, 8)))

ROW(strerror_r, NOTHING, got = strerror_r(9999, a, 100), W(a, sizeof "Unknown error 9999"))
ROW(strerror_r_V_known, NOTHING, got = strerror_r(EINTR, a, 100), NOTHING)
ROW(__strerror_r, NOTHING, got = __strerror_r(9999, a, 100), W(a, sizeof "Unknown error 9999"))
ROW(__xpg_strerror_r, NOTHING, __xpg_strerror_r(EINTR, a, 100), W(a, sizeof "Interrupted system call"))

ROW(memfrob, text(a, "hello"), memfrob(a, 5), W(a, 5))
ROW(strfry, text(a, "hello"), strfry(a), (W(a, 5), R(a + 5, 1)))
ROW(rpmatch, text(a, "yes"), number = rpmatch(a), R(a, 4))
ROW(a64l, text(a, "./"), number = a64l(a), R(a, 3))
ROW(basename, text(a, "/usr/lib"), got = basename(a), R(a, 9))
ROW(__xpg_basename, text(a, "/usr/lib/"), got = __xpg_basename(a), W(a, 10))
ROW(dirname, text(a, "/usr/lib"), got = dirname(a), W(a, 9))
static char *const names[] = {"ro", "size", 0};
ROW(getsubopt, (text(a, "size=5,ro"), word(b, (long)a)), number = getsubopt((char **)b, names, (char **)c), (R(a, 7), W(b, 8), W(c, 8)))

MAIN
