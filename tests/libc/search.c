// Sorting, searching, trees, tables, patterns, walks over folders, options.
#include "rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <regex.h>
#include <search.h>
#include <wordexp.h>

int __posix_getopt(int, char *const *, const char *);
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))
static UNSEEN int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static UNSEEN int by_value_r(const void *a, const void *b, void *unused) { return by_value(a, b); }
static UNSEEN int by_text(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static UNSEEN int visit(const char *path, const struct stat *about, int kind) { return 1; }
static UNSEEN int visit_nftw(const char *path, const struct stat *about, int kind, struct FTW *where) { return 1; }
static UNSEEN int one(const struct dirent *entry) { return entry->d_name[0] == '.' && entry->d_name[1] == 0; }
#define NUMBERS bytes(a, (int[]){3, 1, 2, 5}, 16)

ROW(qsort, NUMBERS, qsort(a, 4, 4, by_value), W(a, 16))
ROW(qsort_V_one, NUMBERS, qsort(a, 1, 4, by_value), NOTHING)
ROW(qsort_r, NUMBERS, qsort_r(a, 4, 4, by_value_r, 0), W(a, 16))
ROW(lfind, (NUMBERS, word(b, 4), integer(c, 2)), got = lfind(c, a, (size_t *)b, 4, by_value), R(b, 8))
ROW(lsearch, (NUMBERS, word(b, 4), integer(c, 7)), got = lsearch(c, a, (size_t *)b, 4, by_value), (W(a + 16, 4), W(b, 8), R(c, 4)))
ROW(lsearch_V_found, (NUMBERS, word(b, 4), integer(c, 5)), got = lsearch(c, a, (size_t *)b, 4, by_value), R(b, 8))
ROW(insque, (fill(a, 0, 16), fill(b, 0, 16)), insque(b, a), (W(a, 8), W(b, 16)))
ROW(insque_V_first, NOTHING, insque(b, 0), W(b, 16))
ROW(remque, (word(a, (long)b), word(a + 8, (long)c)), remque(a), (R(a, 16), W(b + 8, 8), W(c, 8)))
ROW(tsearch, (word(a, 0), text(b, "x")), got = tsearch(b, (void **)a, by_text), W(a, 8))
ROW(tfind, word(a, 0), got = tfind(b, (void **)a, by_text), R(a, 8))
ROW(tdelete, word(a, 0), got = tdelete(b, (void **)a, by_text), W(a, 8))
ROW(hcreate_r, fill(a, 0, 16), hcreate_r(10, (struct hsearch_data *)a), W(a, 16))
static struct hsearch_data table;
INVISIBLE void made(void) {
    if (!table.table) hcreate_r(10, &table);
    bytes(a, &table, 16);
}
ROW(hsearch_r, (made(), text(b, "key")), hsearch_r((ENTRY){b, 0}, ENTER, (ENTRY **)c, (struct hsearch_data *)a), (W(a, 16), R(b, 4), W(c, 8)))
ROW(hsearch_r_V_find, (made(), text(b, "none")), hsearch_r((ENTRY){b, 0}, FIND, (ENTRY **)c, (struct hsearch_data *)a), (R(a, 16), R(b, 5), W(c, 8)))
ROW(hdestroy_r, fill(a, 0, 16), hdestroy_r((struct hsearch_data *)a), W(a, 16))

#define REGEX sizeof(regex_t)
static regex_t compiled, silent;
INVISIBLE void compile(regex_t *to, int flags) {
    regcomp(to, "l+", flags);
    bytes(a, to, REGEX);
}
ROW(regcomp, text(b, "l+"), regcomp((regex_t *)a, b, REG_EXTENDED), (W(a, REGEX), R(b, 3)))
ROW(regexec, (compile(&compiled, REG_EXTENDED), text(b, "hello")), number = regexec((regex_t *)a, b, 2, (regmatch_t *)c, 0), (R(a, REGEX), R(b, 6), W(c, 16)))
ROW(regexec_V_silent, (compile(&silent, REG_EXTENDED | REG_NOSUB), text(b, "hello")), number = regexec((regex_t *)a, b, 2, (regmatch_t *)c, 0), (R(a, REGEX), R(b, 6)))
ROW(regexec_V_part, (compile(&compiled, REG_EXTENDED), text(b, "hello"), integer(c, 1), integer(c + 4, 4)), number = regexec((regex_t *)a, b, 1, (regmatch_t *)c, REG_STARTEND), (R(a, REGEX), R(b + 1, 3), W(c, 8)))
ROW(regerror, NOTHING, number = regerror(REG_BADPAT, 0, a, 60), W(a, strlen(a) + 1))
ROW(regfree, compile(&compiled, REG_EXTENDED), regfree((regex_t *)a), W(a, REGEX))
ROW(fnmatch, (text(a, "*.c"), text(b, "row.c")), number = fnmatch(a, b, 0), (R(a, 4), R(b, 6)))

INVISIBLE void found(glob_t *all) {
    W(all, 16), W(all->gl_pathv, (all->gl_pathc + 1) * 8);
    for (size_t at = 0; at < all->gl_pathc; at++) W(all->gl_pathv[at], strlen(all->gl_pathv[at]) + 1);
}
ROW(glob, text(a, "/dev/nul*"), number = glob(a, 0, 0, (glob_t *)b), (R(a, 10), found((glob_t *)b)))
ROW(glob64, text(a, "/dev/nul*"), number = glob64(a, 0, 0, (glob64_t *)b), (R(a, 10), found((glob_t *)b)))
ROW(wordexp, text(a, "one"), number = wordexp(a, (wordexp_t *)b, 0), (R(a, 4), W(b, 16), W(((wordexp_t *)b)->we_wordv, 8), W(((wordexp_t *)b)->we_wordv[0], 4)))
ROW(ftw, text(a, "/dev"), number = ftw(a, visit, 5), R(a, 5))
ROW(ftw64, text(a, "/dev"), number = ftw64(a, (void *)visit, 5), R(a, 5))
ROW(nftw, text(a, "/dev"), number = nftw(a, visit_nftw, 5, 0), R(a, 5))
ROW(nftw64, text(a, "/dev"), number = nftw64(a, (void *)visit_nftw, 5, 0), R(a, 5))
INVISIBLE void entry(struct dirent **list) { W(list, 8), W(list[0], list[0]->d_reclen); }
ROW(scandir, text(a, "/"), number = scandir(a, (struct dirent ***)b, one, 0), (R(a, 2), W(b, 8), entry(*(struct dirent ***)b)))
ROW(scandir64, text(a, "/"), number = scandir64(a, (struct dirent64 ***)b, (void *)one, 0), (R(a, 2), W(b, 8), entry(*(struct dirent ***)b)))
ROW(scandirat, text(a, "/"), number = scandirat(AT_FDCWD, a, (struct dirent ***)b, one, 0), (R(a, 2), W(b, 8), entry(*(struct dirent ***)b)))

// Two words of which the second is the option.
#define ARGUMENTS (word(a, (long)"program"), word(a + 8, (long)"-x"), word(a + 16, 0), text(b, "x"), optind = 1)
#define OPTIONS R(a, 16), R(b, 2), W(&optind, 4), W(&optarg, 8)
ROW(getopt, ARGUMENTS, number = getopt(2, (char **)a, b), (OPTIONS))
ROW(__posix_getopt, ARGUMENTS, number = __posix_getopt(2, (char **)a, b), (OPTIONS))
#define LONG (ARGUMENTS, text(d, "long"), fill(c, 0, 64), word(c, (long)d))
ROW(getopt_long, LONG, number = getopt_long(2, (char **)a, b, (struct option *)c, 0), (OPTIONS, R(c, 64), R(d, 5)))
ROW(getopt_long_only, LONG, number = getopt_long_only(2, (char **)a, b, (struct option *)c, 0), (OPTIONS, R(c, 64), R(d, 5)))

MAIN
