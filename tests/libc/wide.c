// Strings of wide characters.
#include "rows.h"

#include <inttypes.h>
#include <locale.h>
#include <time.h>

#define A ((wchar_t *)a)
#define B ((wchar_t *)b)
#define C ((wchar_t *)c)
wchar_t *wcswcs(const wchar_t *, const wchar_t *);
wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t), *__wcpcpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wcpncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcscat_chk(wchar_t *, const wchar_t *, size_t), *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wmempcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t);

ROW(wcslen, wide(a, L"hello"), number = wcslen(A), R(a, 24))
ROW(wcsnlen, wide(a, L"hello"), number = wcsnlen(A, 3), R(a, 12))
ROW(wcscpy, wide(a, L"hello"), wcscpy(B, A), (R(a, 24), W(b, 24)))
ROW(wcpcpy, wide(a, L"hello"), wcpcpy(B, A), (R(a, 24), W(b, 24)))
ROW(wcsncpy, wide(a, L"hello"), wcsncpy(B, A, 8), (R(a, 24), W(b, 32)))
ROW(wcpncpy, wide(a, L"hello"), wcpncpy(B, A, 3), (R(a, 12), W(b, 12)))
ROW(wcscat, (wide(a, L"hello"), wide(b, L"say ")), wcscat(B, A), (R(a, 24), R(b, 16), W(b + 16, 24)))
ROW(wcsncat, (wide(a, L"hello"), wide(b, L"say ")), wcsncat(B, A, 3), (R(a, 12), R(b, 16), W(b + 16, 16)))
ROW(wcsncat_V_whole, (wide(a, L"hello"), wide(b, L"say ")), wcsncat(B, A, 9), (R(a, 24), R(b, 16), W(b + 16, 24)))
ROW(wcsdup, wide(a, L"hello"), got = wcsdup(A), (R(a, 24), W(got, 24)))
ROW(wcscmp, (wide(a, L"helps"), wide(b, L"hello")), number = wcscmp(A, B), (R(a, 16), R(b, 16)))
ROW(wcsncmp, (wide(a, L"helps"), wide(b, L"hello")), number = wcsncmp(A, B, 3), (R(a, 12), R(b, 12)))
ROW(wcscasecmp, (wide(a, L"HElps"), wide(b, L"hello")), number = wcscasecmp(A, B), (R(a, 16), R(b, 16)))
ROW(wcsncasecmp, (wide(a, L"HElps"), wide(b, L"hello")), number = wcsncasecmp(A, B, 3), (R(a, 12), R(b, 12)))
#define NEW got = newlocale(LC_ALL_MASK, "C", 0)
ROW(wcscasecmp_l, (wide(a, L"HElps"), wide(b, L"hello"), NEW), number = wcscasecmp_l(A, B, got), (R(a, 16), R(b, 16)))
ROW(wcsncasecmp_l, (wide(a, L"HElps"), wide(b, L"hello"), NEW), number = wcsncasecmp_l(A, B, 3, got), (R(a, 12), R(b, 12)))
ROW(wcscoll, (wide(a, L"helps"), wide(b, L"hi")), number = wcscoll(A, B), (R(a, 24), R(b, 12)))
ROW(wcscoll_l, (wide(a, L"helps"), wide(b, L"hi"), NEW), number = wcscoll_l(A, B, got), (R(a, 24), R(b, 12)))
ROW(wcsxfrm, wide(a, L"hi"), number = wcsxfrm(B, A, 20), (R(a, 12), W(b, 12)))
ROW(wcsxfrm_l, (wide(a, L"hi"), NEW), number = wcsxfrm_l(B, A, 20, got), (R(a, 12), W(b, 12)))
ROW(wcschr, wide(a, L"hello"), got = wcschr(A, L'e'), R(a, 8))
ROW(wcschr_V_missing, wide(a, L"hello"), got = wcschr(A, L'x'), R(a, 24))
ROW(wcschrnul, wide(a, L"hello"), got = wcschrnul(A, L'x'), R(a, 24))
ROW(wcsrchr, wide(a, L"hello"), got = wcsrchr(A, L'e'), R(a, 24))
ROW(wcsstr, (wide(a, L"hello world"), wide(b, L"lo")), got = wcsstr(A, B), (R(a, 20), R(b, 12)))
ROW(wcswcs, (wide(a, L"hello world"), wide(b, L"xx")), got = wcswcs(A, B), (R(a, 48), R(b, 12)))
ROW(wcspbrk, (wide(a, L"hello"), wide(b, L"lo")), got = wcspbrk(A, B), (R(a, 12), R(b, 12)))
ROW(wcsspn, (wide(a, L"hello"), wide(b, L"eh")), number = wcsspn(A, B), (R(a, 12), R(b, 12)))
ROW(wcscspn, (wide(a, L"hello"), wide(b, L"l")), number = wcscspn(A, B), (R(a, 12), R(b, 8)))
ROW(wcstok, (wide(a, L"one two"), wide(b, L" ")), got = wcstok(A, B, (wchar_t **)c), (W(a, 16), R(b, 8), W(c, 8)))
ROW(wcswidth, wide(a, L"hello"), number = wcswidth(A, 9), R(a, 24))
ROW(wcsftime, (wide(b, L"%Y"), fill(c, 0, sizeof(struct tm))), number = wcsftime(A, 20, B, (struct tm *)c), (W(a, 20), R(b, 12), R(c, sizeof(struct tm))))
ROW(wcsftime_l, (wide(b, L"%Y"), fill(c, 0, sizeof(struct tm)), NEW), number = wcsftime_l(A, 20, B, (struct tm *)c, got), (W(a, 20), R(b, 12), R(c, sizeof(struct tm))))

ROW(wmemcpy, NOTHING, wmemcpy(B, A, 5), (R(a, 20), W(b, 20)))
ROW(wmempcpy, NOTHING, wmempcpy(B, A, 5), (R(a, 20), W(b, 20)))
ROW(wmemmove, NOTHING, wmemmove(A + 1, A, 5), (R(a, 20), W(a + 4, 20)))
ROW(wmemset, NOTHING, wmemset(A, 7, 5), W(a, 20))
ROW(wmemcmp, NOTHING, number = wmemcmp(A, B, 5), (R(a, 20), R(b, 20)))
ROW(wmemchr, wide(a, L"hello"), got = wmemchr(A, L'e', 5), R(a, 8))
ROW(wmemchr_V_missing, wide(a, L"hello"), got = wmemchr(A, L'x', 5), R(a, 20))

ROW(__wcscpy_chk, wide(a, L"hello"), __wcscpy_chk(B, A, 20), (R(a, 24), W(b, 24)))
ROW(__wcpcpy_chk, wide(a, L"hello"), __wcpcpy_chk(B, A, 20), (R(a, 24), W(b, 24)))
ROW(__wcsncpy_chk, wide(a, L"hello"), __wcsncpy_chk(B, A, 8, 20), (R(a, 24), W(b, 32)))
ROW(__wcpncpy_chk, wide(a, L"hello"), __wcpncpy_chk(B, A, 8, 20), (R(a, 24), W(b, 32)))
ROW(__wcscat_chk, (wide(a, L"hello"), wide(b, L"say ")), __wcscat_chk(B, A, 20), (R(a, 24), R(b, 16), W(b + 16, 24)))
ROW(__wcsncat_chk, (wide(a, L"hello"), wide(b, L"say ")), __wcsncat_chk(B, A, 3, 20), (R(a, 12), R(b, 16), W(b + 16, 16)))
ROW(__wmemcpy_chk, NOTHING, __wmemcpy_chk(B, A, 5, 20), (R(a, 20), W(b, 20)))
ROW(__wmempcpy_chk, NOTHING, __wmempcpy_chk(B, A, 5, 20), (R(a, 20), W(b, 20)))
ROW(__wmemmove_chk, NOTHING, __wmemmove_chk(B, A, 5, 20), (R(a, 20), W(b, 20)))
ROW(__wmemset_chk, NOTHING, __wmemset_chk(A, 5, 5, 20), W(a, 20))

#define NUMBER(name) ROW(name, wide(a, L" 77 "), number = name(A, (wchar_t **)b, 8), (R(a, 16), W(b, 8)))
NUMBER(wcstol)
NUMBER(wcstoul)
NUMBER(wcstoll)
NUMBER(wcstoull)
NUMBER(wcstoq)
NUMBER(wcstouq)
NUMBER(wcstoimax)
NUMBER(wcstoumax)
#define NUMBER_IN_LOCALE(name, more) ROW(name, (wide(a, L" 77 "), NEW), number = name(A, (wchar_t **)b more, got), (R(a, 16), W(b, 8)))
#define BASE , 8
NUMBER_IN_LOCALE(wcstol_l, BASE)
NUMBER_IN_LOCALE(wcstoul_l, BASE)
NUMBER_IN_LOCALE(wcstoll_l, BASE)
NUMBER_IN_LOCALE(wcstoull_l, BASE)
NUMBER_IN_LOCALE(wcstof_l, )
NUMBER_IN_LOCALE(wcstod_l, )
NUMBER_IN_LOCALE(wcstof32_l, )
NUMBER_IN_LOCALE(wcstof64_l, )
NUMBER_IN_LOCALE(wcstof32x_l, )
NUMBER_IN_LOCALE(wcstold_l, )
#define REAL(name) ROW(name, wide(a, L"1.5 "), real = name(A, (wchar_t **)b), (R(a, 16), W(b, 8)))
REAL(wcstof)
REAL(wcstod)
REAL(wcstof32)
REAL(wcstof64)
REAL(wcstof32x)
REAL(wcstold)
REAL(wcstof64x)

MAIN
