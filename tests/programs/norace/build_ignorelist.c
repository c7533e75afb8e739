// A list names a function that is not to be checked.
// BUILD: echo 'fun:second*' >$OUT.list && $CC $FLAGS -fsanitize-ignorelist=$OUT.list $SRC -o $OUT
#include "unordered.h"

#ifdef OTHER
#define second_part third
#else
#define second_part second_part
#endif

int value;

static void first(void) {
    value++;
}

__attribute__((noinline)) static void second_part(void) {
    value++;
}

static void second(void) {
    second_part();
}
