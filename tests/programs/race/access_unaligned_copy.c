// As many bytes as are checked word by word are copied from where they are in as many words as they can be; another thread wrote the last one.
// EXPECT: Read of size [0-9]+ at
// EXPECT: Earlier write of size 1 at .*
// EXPECT: offset 62 of global .bytes. of size 64
// LEVELS: O0 O1 O2 O3
#include "copy_from_anywhere.h"

static void first(void) { write_byte(FIRST + LENGTH - 1); }
