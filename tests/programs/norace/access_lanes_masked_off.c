// Vector loads of the processor's that leave out some lanes, as the compiler knows: those are another thread's.
// LEVELS: O0 O1 O2 O3
// FLAGS: -mavx2
#include <immintrin.h>

#include "unordered.h"

static int ints[64];
static long longs[64];
static float floats[64];
static double doubles[64];
__m256i some_ints;
__m128i some_longs;
__m256 some_floats;
__m256d some_doubles;

static void first(void) {
    *(volatile int *)&ints[2] = 1;
    *(volatile long *)&longs[1] = 2;
    *(volatile float *)&floats[0] = 3;
    *(volatile double *)&doubles[3] = 4;
}

static void second(void) {
    if (!__builtin_cpu_supports("avx2")) return;
    some_ints = _mm256_maskload_epi32(ints, _mm256_set_epi32(-1, 0, 0, 0, -1, 0, 0, -1));
    some_longs = _mm_maskload_epi64((const long long *)longs, _mm_set_epi64x(0, -1));
    some_floats = _mm256_maskload_ps(floats, _mm256_set_epi32(-1, -1, -1, -1, -1, -1, -1, 0));
    some_doubles = _mm256_maskload_pd(doubles, _mm256_set_epi64x(0, -1, -1, -1));
}
