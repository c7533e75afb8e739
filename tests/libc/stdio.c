// Streams and folders. (printf and scanf have a file of their own.)
// The functions, and not what headers define in their place.
#define __NO_INLINE__ 1
#include "rows.h"

#include <dirent.h>
#include <stdio_ext.h>
#include <sys/mman.h>

char *__fgets_chk(char *, size_t, int, FILE *), *__fgets_unlocked_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *), __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
wchar_t *__fgetws_chk(wchar_t *, size_t, int, FILE *), *__fgetws_unlocked_chk(wchar_t *, size_t, int, FILE *);
char *gets(char *), *__gets_chk(char *, size_t);
ssize_t __getdelim(char **, size_t *, int, FILE *);

static FILE *stream;
static DIR *folder;
INVISIBLE FILE *file(const char *content) {
    int fd = memfd_create("row", 0);
    CHECK(pwrite(fd, content, strlen(content), 0) >= 0);
    return fdopen(fd, "r+");
}
#define OPEN stream = file("hello\nworld\n")
#define STDIN stdin = file("hello\nworld\n")
// A use of a stream is a read of its first byte.
#define USED R(stream, 1)

ROW(fopen, (text(a, "/dev/null"), text(b, "r")), got = fopen(a, b), (R(a, 10), R(b, 2)))
ROW(fopen64, (text(a, "/dev/null"), text(b, "r")), got = fopen64(a, b), (R(a, 10), R(b, 2)))
ROW(fdopen, text(b, "r"), got = fdopen(dup(0), b), R(b, 2))
ROW(freopen, (text(a, "/dev/null"), text(b, "r"), OPEN), got = freopen(a, b, stream), (R(a, 10), R(b, 2), USED))
ROW(freopen64, (text(a, "/dev/null"), text(b, "r"), OPEN), got = freopen64(a, b, stream), (R(a, 10), R(b, 2), USED))
ROW(popen, (text(a, "true"), text(b, "r")), pclose(popen(a, b)), (R(a, 5), R(b, 2)))
ROW(pclose, stream = popen("true", "r"), pclose(stream), NOTHING)
ROW(fopencookie, text(b, "r"), got = fopencookie(0, b, (cookie_io_functions_t){0}), R(b, 2))
ROW(fmemopen, text(b, "r"), got = fmemopen(a, 10, b), R(b, 2))
ROW(open_memstream, NOTHING, got = open_memstream((char **)a, (size_t *)b), (W(a, 8), W(b, 8)))
ROW(open_wmemstream, NOTHING, got = open_wmemstream((wchar_t **)a, (size_t *)b), (W(a, 8), W(b, 8)))
// What was told at the opening, the other thread has found already: the flush is another row's.
static char *memory;
static size_t size;
ROW(fflush_V_memory, (stream = open_memstream(&memory, &size), putc('x', stream)), fflush(stream), (W(&memory, 8), W(&size, 8), USED))
ROW(fclose, stream = open_memstream(&memory, &size), fclose(stream), (W(&memory, 8), W(&size, 8)))
ROW(fflush, OPEN, fflush(stream), USED)
ROW(fflush_unlocked, OPEN, fflush_unlocked(stream), USED)

ROW(fread, OPEN, number = fread(a, 4, 9, stream), (W(a, 12), USED))
ROW(fread_unlocked, OPEN, number = fread_unlocked(a, 4, 9, stream), (W(a, 12), USED))
ROW(__fread_chk, OPEN, number = __fread_chk(a, 60, 4, 9, stream), (W(a, 12), USED))
ROW(__fread_unlocked_chk, OPEN, number = __fread_unlocked_chk(a, 60, 4, 9, stream), (W(a, 12), USED))
ROW(fwrite, OPEN, number = fwrite(a, 4, 9, stream), (R(a, 36), USED))
ROW(fwrite_unlocked, OPEN, number = fwrite_unlocked(a, 4, 9, stream), (R(a, 36), USED))
ROW(fgets, OPEN, got = fgets(a, 60, stream), (W(a, 7), USED))
ROW(fgets_V_cut, OPEN, got = fgets(a, 4, stream), (W(a, 4), USED))
ROW(fgets_unlocked, OPEN, got = fgets_unlocked(a, 60, stream), (W(a, 7), USED))
ROW(__fgets_chk, OPEN, got = __fgets_chk(a, 90, 60, stream), (W(a, 7), USED))
ROW(__fgets_unlocked_chk, OPEN, got = __fgets_unlocked_chk(a, 90, 60, stream), (W(a, 7), USED))
ROW(gets, STDIN, got = gets(a), W(a, 6))
ROW(__gets_chk, STDIN, got = __gets_chk(a, 60), W(a, 6))
ROW(fputs, (OPEN, text(a, "hello")), fputs(a, stream), (R(a, 6), USED))
ROW(fputs_unlocked, (OPEN, text(a, "hello")), fputs_unlocked(a, stream), (R(a, 6), USED))
ROW(puts, text(a, "hello"), puts(a), R(a, 6))
ROW(fgetws, OPEN, got = fgetws((wchar_t *)a, 60, stream), (W(a, 28), USED))
ROW(fgetws_unlocked, OPEN, got = fgetws_unlocked((wchar_t *)a, 60, stream), (W(a, 28), USED))
ROW(__fgetws_chk, OPEN, got = __fgetws_chk((wchar_t *)a, 90, 60, stream), (W(a, 28), USED))
ROW(__fgetws_unlocked_chk, OPEN, got = __fgetws_unlocked_chk((wchar_t *)a, 90, 60, stream), (W(a, 28), USED))
ROW(fputws, (OPEN, wide(a, L"hello")), fputws((wchar_t *)a, stream), (R(a, 24), USED))
ROW(fputws_unlocked, (OPEN, wide(a, L"hello")), fputws_unlocked((wchar_t *)a, stream), (R(a, 24), USED))
ROW(getline, (OPEN, fill(a, 0, 8), fill(b, 0, 8)), number = getline((char **)a, (size_t *)b, stream), (W(a, 8), W(b, 8), W(*(char **)a, 7), USED))
ROW(getdelim, (OPEN, fill(a, 0, 8), fill(b, 0, 8)), number = getdelim((char **)a, (size_t *)b, 'l', stream), (W(a, 8), W(b, 8), W(*(char **)a, 4), USED))
ROW(__getdelim, (OPEN, fill(a, 0, 8), fill(b, 0, 8)), number = __getdelim((char **)a, (size_t *)b, 'l', stream), (W(a, 8), W(b, 8), W(*(char **)a, 4), USED))
ROW(fgetpos, OPEN, fgetpos(stream, (fpos_t *)a), (W(a, sizeof(fpos_t)), USED))
ROW(fgetpos64, OPEN, fgetpos64(stream, (fpos64_t *)a), (W(a, sizeof(fpos_t)), USED))
ROW(fsetpos, (OPEN, fill(a, 0, sizeof(fpos_t))), fsetpos(stream, (fpos_t *)a), (R(a, sizeof(fpos_t)), USED))
ROW(fsetpos64, (OPEN, fill(a, 0, sizeof(fpos_t))), fsetpos64(stream, (fpos64_t *)a), (R(a, sizeof(fpos_t)), USED))

#define USES(name, ...) ROW(name, OPEN, number = name(__VA_ARGS__), USED)
#define USES_ALONE(name, ...) ROW(name, OPEN, name(__VA_ARGS__), USED)
USES(fgetc, stream)
USES(fgetc_unlocked, stream)
USES(getw, stream)
USES(fgetwc, stream)
USES(fgetwc_unlocked, stream)
USES(ungetc, 'x', stream)
USES(ungetwc, L'x', stream)
USES(fputc, 'x', stream)
USES(fputc_unlocked, 'x', stream)
USES(putw, 1, stream)
USES(fputwc, L'x', stream)
USES(fputwc_unlocked, L'x', stream)
USES(fwide, stream, 0)
USES(fseek, stream, 2, SEEK_SET)
USES(fseeko, stream, 2, SEEK_SET)
USES(fseeko64, stream, 2, SEEK_SET)
USES(ftell, stream)
USES(ftello, stream)
USES(ftello64, stream)
USES_ALONE(rewind, stream)
USES(feof, stream)
USES(ferror, stream)
USES_ALONE(clearerr, stream)
USES_ALONE(clearerr_unlocked, stream)
USES(fileno_unlocked, stream)
USES_ALONE(setbuf, stream, 0)
USES_ALONE(setbuffer, stream, 0, 0)
USES_ALONE(setlinebuf, stream)
USES(setvbuf, stream, 0, _IONBF, 0)
USES_ALONE(__fpurge, stream)
USES(__fpending, stream)
USES(__fbufsize, stream)
USES(__freading, stream)
USES(__fwriting, stream)
USES(__freadable, stream)
USES(__fwritable, stream)
USES(__flbf, stream)
USES(__fsetlocking, stream, FSETLOCKING_QUERY)
// Those that headers make macros or inline functions of, by another name.
#define USES_OTHER(name, type, ...) \
    int real_##name type __asm__(#name); \
    ROW(name, OPEN, number = real_##name(__VA_ARGS__), USED)
USES_OTHER(getc, (FILE *), stream)
USES_OTHER(getc_unlocked, (FILE *), stream)
USES_OTHER(getwc, (FILE *), stream)
USES_OTHER(getwc_unlocked, (FILE *), stream)
USES_OTHER(putc, (int, FILE *), 'x', stream)
USES_OTHER(putc_unlocked, (int, FILE *), 'x', stream)
USES_OTHER(putwc, (wchar_t, FILE *), L'x', stream)
USES_OTHER(putwc_unlocked, (wchar_t, FILE *), L'x', stream)
USES_OTHER(feof_unlocked, (FILE *), stream)
USES_OTHER(ferror_unlocked, (FILE *), stream)

ROW(tmpnam, NOTHING, got = tmpnam(a), W(a, strlen(a) + 1))
ROW(tmpnam_r, NOTHING, got = tmpnam_r(a), W(a, strlen(a) + 1))
ROW(tempnam, (text(a, "/tmp"), text(b, "row")), got = tempnam(a, b), (R(a, 5), R(b, 4), W(got, strlen(got) + 1)))
ROW(ctermid, NOTHING, got = ctermid(a), W(a, strlen(a) + 1))
ROW(remove, text(a, "/nowhere/at/all"), remove(a), R(a, 16))
ROW(opendir, text(a, "/"), got = opendir(a), R(a, 2))
ROW(readdir, folder = opendir("/"), got = readdir(folder), W(got, ((struct dirent *)got)->d_reclen))
ROW(readdir64, folder = opendir("/"), got = readdir64(folder), W(got, ((struct dirent *)got)->d_reclen))
ROW(readdir_r, folder = opendir("/"), readdir_r(folder, (struct dirent *)a, (struct dirent **)b), (W(a, ((struct dirent *)a)->d_reclen), W(b, 8)))
ROW(readdir64_r, folder = opendir("/"), readdir64_r(folder, (struct dirent64 *)a, (struct dirent64 **)b), (W(a, ((struct dirent *)a)->d_reclen), W(b, 8)))

ROW(fopen_V_bad, text(b, "r"), (got = fopen(BAD, (char *)b), number = got ? 0 : -1), (refused(), R(b, 2)))

MAIN
