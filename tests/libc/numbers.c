// Results through pointers, and generators of random numbers.
#include "rows.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <sys/random.h>

#define SEED(p) fill(p, 1, 16)

static fenv_t environment;
static femode_t mode;

__attribute__((constructor)) static void look(void) {
    fegetenv(&environment);
    fegetmode(&mode);
}

INVISIBLE void usual(char *to, const void *from, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = ((const char *)from)[i];
}

ROW(frexp, NOTHING, real = frexp(5.5, (int *)a), W(a, 4))
ROW(frexpf, NOTHING, real = frexpf(5.5f, (int *)a), W(a, 4))
ROW(frexpl, NOTHING, real = frexpl(5.5L, (int *)a), W(a, 4))
ROW(modf, NOTHING, real = modf(5.5, (double *)a), W(a, 8))
ROW(modff, NOTHING, real = modff(5.5f, (float *)a), W(a, 4))
ROW(modfl, NOTHING, real = modfl(5.5L, (long double *)a), W(a, 10))
ROW(remquo, NOTHING, real = remquo(5.5, 2, (int *)a), W(a, 4))
ROW(remquof, NOTHING, real = remquof(5.5f, 2, (int *)a), W(a, 4))
ROW(remquol, NOTHING, real = remquol(5.5L, 2, (int *)a), W(a, 4))
ROW(lgamma_r, NOTHING, real = lgamma_r(5.5, (int *)a), W(a, 4))
ROW(lgammaf_r, NOTHING, real = lgammaf_r(5.5f, (int *)a), W(a, 4))
ROW(lgammal_r, NOTHING, real = lgammal_r(5.5L, (int *)a), W(a, 4))
ROW(sincos, NOTHING, (sincos(1, (double *)a, (double *)b), CHECK(*(double *)a > 0.84 && *(double *)a < 0.85)), (W(a, 8), W(b, 8)))
ROW(sincosf, NOTHING, sincosf(1, (float *)a, (float *)b), (W(a, 4), W(b, 4)))
ROW(sincosl, NOTHING, sincosl(1, (long double *)a, (long double *)b), (W(a, 10), W(b, 10)))
ROW(fegetenv, NOTHING, fegetenv((fenv_t *)a), W(a, 32))
ROW(fesetenv, usual(a, &environment, 32), fesetenv((fenv_t *)a), R(a, 32))
ROW(fesetenv_V_default, NOTHING, fesetenv(FE_DFL_ENV), NOTHING)
ROW(feholdexcept, NOTHING, (feholdexcept((fenv_t *)a), feclearexcept(FE_ALL_EXCEPT)), W(a, 32))
ROW(feupdateenv, usual(a, &environment, 32), feupdateenv((fenv_t *)a), R(a, 32))
ROW(fegetexceptflag, NOTHING, fegetexceptflag((fexcept_t *)a, FE_ALL_EXCEPT), W(a, 2))
ROW(fesetexceptflag, fill(a, 0, 2), fesetexceptflag((fexcept_t *)a, FE_ALL_EXCEPT), R(a, 2))
ROW(fegetmode, NOTHING, fegetmode((femode_t *)a), W(a, 8))
ROW(fesetmode, usual(a, &mode, 8), fesetmode((femode_t *)a), R(a, 8))
ROW(fesetmode_V_default, NOTHING, fesetmode(FE_DFL_MODE), NOTHING)
ROW(nan, text(a, "77"), real = nan(a), R(a, 3))
ROW(nanf, text(a, "77"), real = nanf(a), R(a, 3))
ROW(nanl, text(a, "77"), real = nanl(a), R(a, 3))
ROW(strtold, text(a, " 1.25;"), (real = strtold(a, (char **)b), CHECK(real == 1.25)), (R(a, 6), W(b, 8)))
ROW(strtold_l, (text(a, " 1.25;"), got = newlocale(LC_ALL_MASK, "C", 0)), real = strtold_l(a, (char **)b, got), (R(a, 6), W(b, 8)))
ROW(strtof64x, text(a, " 1.25;"), real = strtof64x(a, (char **)b), (R(a, 6), W(b, 8)))

ROW(rand_r, NOTHING, number = rand_r((unsigned *)a), W(a, 4))
ROW(initstate, NOTHING, got = initstate(1, a, 64), W(a, 64))
static char other[64];
ROW(setstate, (initstate(1, other, 64), initstate(2, malloc(64), 64), bytes(a, other, 64)), got = setstate(a), R(a, 4))
ROW(initstate_r, fill(b, 0, sizeof(struct random_data)), number = initstate_r(1, a, 64, (struct random_data *)b), (W(a, 64), W(b, 48)))
// A generator made elsewhere, and moved here unseen.
static struct random_data made;
INVISIBLE void generator(void) {
    memset(&made, 0, sizeof made);
    initstate_r(1, malloc(64), 64, &made);
    bytes(b, &made, sizeof made);
}
ROW(random_r, generator(), number = random_r((struct random_data *)b, (int *)a), (W(a, 4), W(b, 48)))
ROW(srandom_r, generator(), number = srandom_r(5, (struct random_data *)b), W(b, 48))
ROW(setstate_r, (generator(), got = made.state, integer(a, 0)), number = setstate_r(a, (struct random_data *)b), (R(a, 4), W(b, 48)))
ROW(erand48, SEED(a), real = erand48((unsigned short *)a), W(a, 6))
ROW(nrand48, SEED(a), number = nrand48((unsigned short *)a), W(a, 6))
ROW(jrand48, SEED(a), number = jrand48((unsigned short *)a), W(a, 6))
ROW(seed48, SEED(a), got = seed48((unsigned short *)a), (R(a, 6), W(got, 6)))
ROW(lcong48, SEED(a), lcong48((unsigned short *)a), R(a, 14))
#define D48 ((struct drand48_data *)b)
ROW(drand48_r, fill(b, 0, 24), drand48_r(D48, (double *)a), (W(a, 8), W(b, 24)))
ROW(lrand48_r, fill(b, 0, 24), lrand48_r(D48, (long *)a), (W(a, 8), W(b, 24)))
ROW(mrand48_r, fill(b, 0, 24), mrand48_r(D48, (long *)a), (W(a, 8), W(b, 24)))
ROW(erand48_r, fill(b, 0, 24), erand48_r((unsigned short *)c, D48, (double *)a), (W(a, 8), W(b, 24), W(c, 6)))
ROW(nrand48_r, fill(b, 0, 24), nrand48_r((unsigned short *)c, D48, (long *)a), (W(a, 8), W(b, 24), W(c, 6)))
ROW(jrand48_r, fill(b, 0, 24), jrand48_r((unsigned short *)c, D48, (long *)a), (W(a, 8), W(b, 24), W(c, 6)))
ROW(srand48_r, fill(b, 0, 24), srand48_r(1, D48), W(b, 24))
ROW(seed48_r, fill(b, 0, 24), seed48_r((unsigned short *)c, D48), (W(b, 24), R(c, 6)))
ROW(lcong48_r, fill(b, 0, 24), lcong48_r((unsigned short *)c, D48), (W(b, 24), R(c, 14)))
ROW(getrandom, NOTHING, number = getrandom(a, 13, 0), W(a, 13))
ROW(getentropy, NOTHING, number = getentropy(a, 13), W(a, 13))
ROW(arc4random_buf, NOTHING, arc4random_buf(a, 13), W(a, 13))
ROW(l64a, NOTHING, got = l64a(1), W(got, 2))
ROW(gcvt, NOTHING, got = gcvt(1.5, 5, a), W(a, 4))
ROW(ecvt, NOTHING, got = ecvt(1.5, 5, (int *)a, (int *)b), (W(a, 4), W(b, 4), W(got, 6)))
ROW(fcvt, NOTHING, got = fcvt(1.5, 2, (int *)a, (int *)b), (W(a, 4), W(b, 4), W(got, 4)))
ROW(ecvt_r, NOTHING, number = ecvt_r(1.5, 5, (int *)a, (int *)b, c, 20), (W(a, 4), W(b, 4), W(c, 6)))
ROW(fcvt_r, NOTHING, number = fcvt_r(1.5, 2, (int *)a, (int *)b, c, 20), (W(a, 4), W(b, 4), W(c, 4)))
ROW(strfromd, text(b, "%f"), number = strfromd(a, 20, b, 1.5), (W(a, 9), R(b, 3)))
ROW(strfromf, text(b, "%f"), number = strfromf(a, 3, b, 1.5f), (W(a, 3), R(b, 3)))

MAIN
