// The program is not linked with libm, of which the runtime has interceptors, so that the linker misses nothing.
// LEVELS: O1
// BUILD: $CC $FLAGS $SRC -o $OUT
#include <math.h>

static volatile double five = 5;

int main(void) {
    int quotient;
    return remquo(five, 2, &quotient) == 1 && (quotient & 7) == 2 ? 0 : 1;
}
