// As many bytes as are checked word by word are copied from where they are in as many words as they can be; another thread wrote those on both sides.
// LEVELS: O0 O1 O2 O3
#include "copy_from_anywhere.h"

static void first(void) {
    write_byte(FIRST - 1);
    write_byte(FIRST + LENGTH);
}
