// A list names another function.
// BUILD: echo 'fun:sec*' >$OUT.list && $CC $FLAGS -DOTHER -fsanitize-ignorelist=$OUT.list $SRC -o $OUT
// EXPECT: data race on `value`
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
