// Loops of many shapes, over arrays of which another thread has written some bytes. With and without reductions of checks, the
// bytes that race are the same ones.
// LEVELS: O1 O2 O3 Os
// BUILD: GOLDILOCKS_PASS="loops=0 redundant=0 adjacent=0 summaries=0" $CC $FLAGS $SRC -o $OUT.plain
// BUILD: $CC $FLAGS $SRC -o $OUT
// RUN: export GOLDILOCKS_OPTIONS=symbolize=0:report_once=0:report_format=json; for p in $OUT.plain $OUT; do $p 2>&1 | grep -o '"racing":[[][^]]*' | grep -o 'x[0-9a-f]*","size":[0-9]*' | sed 's/.*\(......\)","size"/\1/' | sort -u > $p.bytes; done; cmp $OUT.plain.bytes $OUT.bytes && echo "the same $(wc -l < $OUT.bytes) pieces" >&2; GOLDILOCKS_OPTIONS=symbolize=0 exec $OUT
// EXPECT: ^the same [1-9][0-9]{2,} pieces$
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "invisible.h"

// The last six digits of an address say which of the bytes it is.
enum { AREA = 4096, MIDDLE = 1024, ALIGNMENT = 1 << 24 };
typedef struct { int x, y, z, w; } Four;
typedef struct { char c; short s; int i; long l; } Mixed;

static volatile long sink;
static int first_is_done;
#define KERNEL __attribute__((noinline)) static void

KERNEL fill_long(void *p, long n) { long *a = p; for (long i = 0; i < n; i++) a[i] = i; }
KERNEL fill_char(void *p, long n) { volatile char *a = p; for (long i = 0; i < n; i++) a[i] = 7; }
KERNEL sum_int(void *p, long n) { int *a = p; int s = 0; for (int i = 0; i < (int)n; i++) s += a[i]; sink = s; }
KERNEL sum_unaligned(void *p, long n) { int *a = (int *)((char *)p + 3); int s = 0; for (int i = 0; i < (int)n; i++) { int v; memcpy(&v, a + i, 4); s += v; } sink = s; }
KERNEL sum_float(void *p, long n) { float *a = p; float s = 0; for (unsigned i = 0; i < n; i++) s += a[i]; sink = (long)s; }
KERNEL down(void *p, long n) { int *a = p; for (long i = n - 1; i >= 0; i--) a[i] += (int)i; }
KERNEL backwards_from_end(void *p, long n) { short *a = p; for (short *q = a + n; q > a;) *--q = 3; }
KERNEL every_other(void *p, long n) { int *a = p; int s = 0; for (long i = 0; i < n; i += 2) s += a[i]; sink = s; }
KERNEL pairs(void *p, long n) { int *a = p; for (long i = 0; i + 1 < n; i += 2) { a[i] = 1; a[i + 1] = 2; } }
KERNEL fields_all(void *p, long n) { Four *a = p; long s = 0; for (long i = 0; i < n / 4; i++) s += a[i].x + a[i].y + a[i].z + a[i].w; sink = s; }
KERNEL fields_some(void *p, long n) { Four *a = p; long s = 0; for (long i = 0; i < n / 4; i++) s += a[i].x + a[i].z; sink = s; }
KERNEL fields_mixed(void *p, long n) { Mixed *a = p; for (long i = 0; i < n / 4; i++) { a[i].c = 1; a[i].s = 2; a[i].i = 3; a[i].l = 4; } }
KERNEL stencil(void *p, long n) { int *a = p, *b = (int *)p + 256; for (long i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; }
KERNEL in_place(void *p, long n) { int *a = p; for (long i = 1; i < n; i++) a[i] += a[i - 1]; }
KERNEL conditional(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) if (i & 4) a[i] = 1; }
KERNEL conditional_on_data(void *p, long n) { int *a = p, *b = (int *)p + 256; for (long i = 0; i < n; i++) if (a[i]) b[i] = 1; }
KERNEL early_exit(void *p, long n) { int *a = p; long i = 0; for (; i < n; i++) if (a[i]) break; sink = i; }
KERNEL exit_by_other(void *p, long n) { int *a = p, *b = (int *)p + 256; for (long i = 0; i < n; i++) { b[i] = 5; if (a[i]) return; } }
KERNEL two_exits(void *p, long n) { int *a = p; long m = n / 2 + 3; for (long i = 0; i < n; i++) { a[i] = 1; if (i == m) break; } }
KERNEL two_exits_after(void *p, long n) { int *a = p; long m = n / 2 + 3; for (long i = 0; i < n; i++) { if (i == m) break; a[i] = 1; } }
KERNEL matrix(void *p, long n) { int (*a)[16] = p; for (long i = 0; i < n / 16; i++) for (long j = 0; j < 16; j++) a[i][j] = 1; }
KERNEL matrix_part(void *p, long n) { int (*a)[16] = p; for (long i = 0; i < n / 16; i++) for (long j = 1; j < 15; j++) a[i][j] = 1; }
KERNEL matrix_var(void *p, long n) { long m = n % 7 + 1; int (*a)[m] = p; for (long i = 0; i < n / m; i++) for (long j = 0; j < m; j++) a[i][j] += 1; }
KERNEL matrix_columns(void *p, long n) { int (*a)[16] = p; for (long j = 0; j < 16; j++) for (long i = 0; i < n / 16; i++) a[i][j] = 1; }
KERNEL triangle(void *p, long n) { int (*a)[16] = p; for (long i = 0; i < n / 16 && i < 16; i++) for (long j = 0; j < i; j++) a[i][j] = 1; }
KERNEL invariant(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) { *(volatile int *)a = (int)i; sink = a[1]; } }
KERNEL invariant_late(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) if (i > 9) *(volatile int *)a = (int)i; }
KERNEL invariant_in_while(void *p, long n) { int *a = p; while (n-- > 0) a[5] += (int)n; }
KERNEL do_while(void *p, long n) { int *a = p; long i = 0; do a[i] = 1; while (++i < n); }
KERNEL unsigned_wrap(void *p, long n) { unsigned char *a = p; for (unsigned char i = 250; i != (unsigned char)n; i++) a[i] = 1; }
KERNEL unsigned_index(void *p, long n) { int *a = p; for (unsigned i = 0; i < (unsigned)n; i++) a[i] = 1; }
KERNEL step_variable(void *p, long n) { int *a = p; long step = n % 3 + 1; for (long i = 0; i < n; i += step) a[i] = 1; }
KERNEL overlapping(void *p, long n) { char *a = p; long s = 0; for (long i = 0; i < n; i++) { long v; memcpy(&v, a + i, 8); s ^= v; } sink = s; }
KERNEL copy_forward(void *p, long n) { int *a = p, *b = (int *)p + 256; for (long i = 0; i < n; i++) b[i] = a[i]; }
KERNEL copy_backward(void *p, long n) { int *a = p, *b = (int *)p + 256; for (long i = n; i-- > 0;) b[i] = a[n - 1 - i]; }
KERNEL moved(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) a[i] = a[i + 1]; }
KERNEL swap(void *p, long n) { int *a = p; for (long i = 0, j = n - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } }
KERNEL interleaved(void *p, long n) { short *a = p; for (long i = 0; i < n / 2; i++) { a[2 * i] = 1; a[2 * i + 1] = 2; } }
KERNEL threes(void *p, long n) { unsigned char *a = p; for (long i = 0; i < n / 3; i++) { a[3 * i] = 1; a[3 * i + 1] = 2; a[3 * i + 2] = 3; } }
KERNEL threes_with_hole(void *p, long n) { unsigned char *a = p; for (long i = 0; i < n / 3; i++) { a[3 * i] = 1; a[3 * i + 2] = 3; } }
KERNEL apart(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) { a[i] = 1; a[i + 300] = 2; } }
KERNEL calls(void *p, long n) { char *a = p; for (long i = 0; i < n; i++) { a[i] = (char)strnlen(a + i, 2); } }
KERNEL nothing_after_exit(void *p, long n) { int *a = p; for (long i = 0;; i++) { if (i >= n) return; a[i] = 1; } }
KERNEL straight(void *p, long n) { Four *a = p; a[n % 5].x = 1; a[n % 5].y = 2; a[n % 5].z = a[n % 5].w; a[n % 5].w = 3; }
KERNEL packed(void *p, long n) { char *a = (char *)p + n % 9; a[0] = 1; a[1] = 2; a[2] = 3; a[3] = 4; a[5] = 6; sink = a[6] + a[7]; }
KERNEL branches(void *p, long n) { int *a = p; if (n & 1) a[0] = 1; else a[1] = 1; if (n & 2) a[0] = 2; a[n & 3] = 3; sink = a[0]; }
KERNEL sorted(void *p, long n) { int *a = p; for (long i = 1; i < n && i < 40; i++) { int v = a[i]; long j = i; for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1]; a[j] = v; } }
KERNEL reduced(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) a[300] += a[i]; }
KERNEL nested_same(void *p, long n) { int *a = p; for (long k = 0; k < n % 3; k++) for (long i = 0; i < n; i++) a[i] += (int)k; }
KERNEL nested_zero(void *p, long n) { int *a = p; for (long k = 0; k < 3; k++) for (long i = 5; i < n - 4; i++) a[i] += (int)k; }
KERNEL shrinking(void *p, long n) { int *a = p; for (long k = 0; k < 3; k++) for (long i = 0; i < n - 2 * k; i++) a[i] = (int)k; }
KERNEL gliding(void *p, long n) { int *a = p; for (long k = 0; k < 3; k++) for (long i = 0; i < n; i++) a[i + k * n] = (int)k; }
KERNEL switched(void *p, long n) { int *a = p; for (long i = 0; i < n; i++) switch (i % 3) { case 0: a[i] = 1; break; case 1: a[i] += 2; break; default: sink = i; } }

static void (*const kernels[])(void *, long) = {
    fill_long, fill_char, sum_int, sum_unaligned, sum_float, down, backwards_from_end, every_other, pairs, fields_all, fields_some,
    fields_mixed, stencil, in_place, conditional, conditional_on_data, early_exit, exit_by_other, two_exits, two_exits_after,
    matrix, matrix_part, matrix_var, matrix_columns, triangle, invariant, invariant_late, invariant_in_while, do_while,
    unsigned_wrap, unsigned_index, step_variable, overlapping, copy_forward, copy_backward, moved, swap, interleaved, threes,
    threes_with_hole, apart, calls, nothing_after_exit, straight, packed, branches, sorted, reduced, nested_same, nested_zero, shrinking, gliding, switched,
};
static const long lengths[] = {0, 1, 2, 5, 8, 15, 17, 31, 33, 64, 100};
enum { KERNELS = sizeof kernels / sizeof *kernels, LENGTHS = sizeof lengths / sizeof *lengths };

_Static_assert(KERNELS * LENGTHS * AREA <= ALIGNMENT, "all areas are in one block");
static char *areas;

static char *area(long kernel, long length) { return areas + (kernel * LENGTHS + length) * AREA; }

// Writes bytes at random, no two next to each other.
static void *scatter(void *seed) {
    unsigned long random = (unsigned long)seed;
    for (long i = 0; i < KERNELS * LENGTHS * AREA; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (random >> 59 == 0) *(volatile char *)(areas + i++) = 0;
    }
    invisible_signal(&first_is_done);
    return 0;
}

int main(void) {
    areas = aligned_alloc(ALIGNMENT, ALIGNMENT);
    memset(areas, 0, ALIGNMENT);
    pthread_t thread;
    pthread_create(&thread, 0, scatter, (void *)2654435761u);
    invisible_wait(&first_is_done, 1);
    for (long kernel = 0; kernel < KERNELS; kernel++)
        for (long length = 0; length < LENGTHS; length++) kernels[kernel](area(kernel, length) + MIDDLE, lengths[length]);
    pthread_join(thread, 0);
    return 0;
}
