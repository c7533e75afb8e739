// Blocks of bytes.
#include "rows.h"

#include <strings.h>

void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
int bcmp(const void *, const void *, size_t);

ROW(memcpy, NOTHING, memcpy(b, a, 100), (R(a, 100), W(b, 100)))
ROW(memcpy_V_unaligned, NOTHING, memcpy(b + 3, a + 5, 203), (R(a + 5, 203), W(b + 3, 203)))
ROW(memcpy_V_none, NOTHING, memcpy(b, a, 0), NOTHING)
ROW(memmove, NOTHING, memmove(a + 5, a, 20), (R(a, 20), W(a + 5, 20)))
ROW(memset, NOTHING, memset(a + 1, 5, 77), W(a + 1, 77))
ROW(memcmp, NOTHING, number = memcmp(a, b, 9), (R(a, 9), R(b, 9)))
ROW(bcmp, NOTHING, number = bcmp(a, b, 9), (R(a, 9), R(b, 9)))
ROW(mempcpy, NOTHING, mempcpy(b, a, 13), (R(a, 13), W(b, 13)))
ROW(bcopy, NOTHING, bcopy(a, b, 13), (R(a, 13), W(b, 13)))
ROW(bzero, NOTHING, bzero(a, 13), W(a, 13))
ROW(explicit_bzero, NOTHING, explicit_bzero(a, 13), W(a, 13))
ROW(__memcpy_chk, NOTHING, __memcpy_chk(b, a, 13, 20), (R(a, 13), W(b, 13)))
ROW(__memmove_chk, NOTHING, __memmove_chk(b, a, 13, 20), (R(a, 13), W(b, 13)))
ROW(__mempcpy_chk, NOTHING, __mempcpy_chk(b, a, 13, 20), (R(a, 13), W(b, 13)))
ROW(__memset_chk, NOTHING, __memset_chk(a, 1, 13, 20), W(a, 13))
ROW(__explicit_bzero_chk, NOTHING, __explicit_bzero_chk(a, 13, 20), W(a, 13))
ROW(memchr, text(a, "hello"), got = memchr(a, 'l', 20), R(a, 3))
ROW(memchr_V_missing, text(a, "hello"), got = memchr(a, 'x', 20), R(a, 20))
ROW(rawmemchr, text(a, "hello"), got = rawmemchr(a, 'o'), R(a, 5))
ROW(memrchr, text(a, "hello"), got = memrchr(a, 'l', 20), R(a + 3, 17))
ROW(memrchr_V_missing, text(a, "hello"), got = memrchr(a, 'x', 20), R(a, 20))
ROW(memmem, (text(a, "hello"), text(b, "lo")), got = memmem(a, 20, b, 2), (R(a, 5), R(b, 2)))
ROW(memmem_V_missing, (text(a, "hello"), text(b, "xy")), got = memmem(a, 20, b, 2), (R(a, 20), R(b, 2)))
ROW(memccpy, text(a, "hello"), got = memccpy(b, a, 'l', 20), (R(a, 3), W(b, 3)))
ROW(memccpy_V_missing, text(a, "hello"), got = memccpy(b, a, 'x', 20), (R(a, 20), W(b, 20)))
ROW(swab, NOTHING, swab(a, b, 7), (R(a, 6), W(b, 6)))
ROW(strlen, text(a + 3, "hello"), number = strlen(a + 3), R(a + 3, 6))

MAIN
