// From one encoding into another, in the locale C.UTF-8.
#include "rows.h"

#include <iconv.h>
#include <locale.h>
#include <uchar.h>

#define UTF8 setlocale(LC_ALL, "C.UTF-8")
#define STATE fill(d, 0, 8)
#define A ((wchar_t *)a)
#define AT(p) word(c, (long)(p))
size_t __mbrlen(const char *, size_t, mbstate_t *), __mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t), __wcstombs_chk(char *, const wchar_t *, size_t, size_t);
int __wctomb_chk(char *, wchar_t, size_t);
size_t __wcrtomb_chk(char *, wchar_t, mbstate_t *, size_t);
size_t __mbsrtowcs_chk(wchar_t *, const char **, size_t, mbstate_t *, size_t);
size_t __mbsnrtowcs_chk(wchar_t *, const char **, size_t, size_t, mbstate_t *, size_t);
size_t __wcsrtombs_chk(char *, const wchar_t **, size_t, mbstate_t *, size_t);
size_t __wcsnrtombs_chk(char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t);

// Two characters of two bytes, one of one.
#define WORD "\xc3\xa4\xc3\xb6u"

ROW(mbstowcs, (UTF8, text(a, WORD)), number = mbstowcs((wchar_t *)b, a, 20), (R(a, 6), W(b, 16)))
ROW(mbstowcs_V_cut, text(a, WORD), number = mbstowcs((wchar_t *)b, a, 2), (R(a, 4), W(b, 8)))
ROW(__mbstowcs_chk, text(a, WORD), number = __mbstowcs_chk((wchar_t *)b, a, 20, 30), (R(a, 6), W(b, 16)))
ROW(wcstombs, wide(a, L"\u00e4\u00f6u"), number = wcstombs(b, A, 20), (R(a, 16), W(b, 6)))
ROW(wcstombs_V_cut, wide(a, L"u\u00e4\u00f6u"), number = wcstombs(b, A, 3), (R(a, 8), W(b, 3)))
ROW(__wcstombs_chk, wide(a, L"\u00e4\u00f6u"), number = __wcstombs_chk(b, A, 20, 30), (R(a, 16), W(b, 6)))
ROW(mblen, text(a, WORD), number = mblen(a, 4), R(a, 2))
ROW(mbtowc, text(a, WORD), number = mbtowc((wchar_t *)b, a, 4), (R(a, 2), W(b, 4)))
ROW(mbtowc_V_part, text(a, WORD), number = mbtowc((wchar_t *)b, a, 1), R(a, 1))
ROW(wctomb, NOTHING, number = wctomb(b, L'\u00e4'), W(b, 2))
ROW(__wctomb_chk, NOTHING, number = __wctomb_chk(b, L'\u00e4', 20), W(b, 2))
ROW(mbrlen, (text(a, WORD), STATE), number = mbrlen(a, 4, (mbstate_t *)d), (R(a, 2), W(d, 8)))
ROW(__mbrlen, (text(a, WORD), STATE), number = __mbrlen(a, 4, (mbstate_t *)d), (R(a, 2), W(d, 8)))
ROW(mbrtowc, (text(a, WORD), STATE), number = mbrtowc((wchar_t *)b, a, 4, (mbstate_t *)d), (R(a, 2), W(b, 4), W(d, 8)))
ROW(__mbrtowc, (text(a, WORD), STATE), number = __mbrtowc((wchar_t *)b, a, 4, (mbstate_t *)d), (R(a, 2), W(b, 4), W(d, 8)))
ROW(mbrtoc16, (text(a, WORD), STATE), number = mbrtoc16((char16_t *)b, a, 4, (mbstate_t *)d), (R(a, 2), W(b, 2), W(d, 8)))
ROW(mbrtoc32, (text(a, WORD), STATE), number = mbrtoc32((char32_t *)b, a, 4, (mbstate_t *)d), (R(a, 2), W(b, 4), W(d, 8)))
ROW(wcrtomb, STATE, number = wcrtomb(b, L'\u00e4', (mbstate_t *)d), (W(b, 2), W(d, 8)))
ROW(__wcrtomb_chk, STATE, number = __wcrtomb_chk(b, L'\u00e4', (mbstate_t *)d, 20), (W(b, 2), W(d, 8)))
ROW(c16rtomb, STATE, number = c16rtomb(b, u'\u00e4', (mbstate_t *)d), (W(b, 2), W(d, 8)))
ROW(c32rtomb, STATE, number = c32rtomb(b, U'\u00e4', (mbstate_t *)d), (W(b, 2), W(d, 8)))
ROW(mbsinit, STATE, number = mbsinit((mbstate_t *)d), R(d, 8))
ROW(mbsrtowcs, (text(a, WORD), STATE, AT(a)), number = mbsrtowcs((wchar_t *)b, (const char **)c, 20, (mbstate_t *)d), (R(a, 6), W(b, 16), W(c, 8), W(d, 8)))
ROW(mbsrtowcs_V_cut, (text(a, WORD), STATE, AT(a)), number = mbsrtowcs((wchar_t *)b, (const char **)c, 2, (mbstate_t *)d), (R(a, 4), W(b, 8), W(c, 8), W(d, 8)))
ROW(mbsrtowcs_V_length, (text(a, WORD), STATE, AT(a)), number = mbsrtowcs(0, (const char **)c, 0, (mbstate_t *)d), (R(a, 6), R(c, 8), W(d, 8)))
ROW(__mbsrtowcs_chk, (text(a, WORD), STATE, AT(a)), number = __mbsrtowcs_chk((wchar_t *)b, (const char **)c, 20, (mbstate_t *)d, 30), (R(a, 6), W(b, 16), W(c, 8), W(d, 8)))
ROW(mbsnrtowcs, (text(a, WORD), STATE, AT(a)), number = mbsnrtowcs((wchar_t *)b, (const char **)c, 4, 20, (mbstate_t *)d), (R(a, 4), W(b, 8), W(c, 8), W(d, 8)))
ROW(__mbsnrtowcs_chk, (text(a, WORD), STATE, AT(a)), number = __mbsnrtowcs_chk((wchar_t *)b, (const char **)c, 4, 20, (mbstate_t *)d, 30), (R(a, 4), W(b, 8), W(c, 8), W(d, 8)))
ROW(wcsrtombs, (wide(a, L"\u00e4\u00f6u"), STATE, AT(a)), number = wcsrtombs(b, (const wchar_t **)c, 20, (mbstate_t *)d), (R(a, 16), W(b, 6), W(c, 8), W(d, 8)))
ROW(__wcsrtombs_chk, (wide(a, L"\u00e4\u00f6u"), STATE, AT(a)), number = __wcsrtombs_chk(b, (const wchar_t **)c, 20, (mbstate_t *)d, 30), (R(a, 16), W(b, 6), W(c, 8), W(d, 8)))
ROW(wcsnrtombs, (wide(a, L"\u00e4\u00f6u"), STATE, AT(a)), number = wcsnrtombs(b, (const wchar_t **)c, 2, 20, (mbstate_t *)d), (R(a, 8), W(b, 4), W(c, 8), W(d, 8)))
ROW(__wcsnrtombs_chk, (wide(a, L"\u00e4\u00f6u"), STATE, AT(a)), number = __wcsnrtombs_chk(b, (const wchar_t **)c, 2, 20, (mbstate_t *)d, 30), (R(a, 8), W(b, 4), W(c, 8), W(d, 8)))

ROW(iconv_open, (text(a, "UTF-8"), text(b, "LATIN1")), got = iconv_open(a, b), (R(a, 6), R(b, 7)))
// The four places: source and its length in c, target and its length in d.
ROW(iconv, (text(a, WORD), word(c, (long)a), word(c + 8, 5), word(d, (long)b), word(d + 8, 20), got = iconv_open("UTF-16LE", "UTF-8")),
    number = iconv(got, (char **)c, (size_t *)(c + 8), (char **)d, (size_t *)(d + 8)), (R(a, 5), W(b, 6), W(c, 16), W(d, 16)))

MAIN
