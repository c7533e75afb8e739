// What was accessed in many epochs, in pieces of every size at every offset: the other thread touches the first and the last byte of each.
// OPTIONS: report_once=0
// REPORTS: 128
// EXPECT: Earlier write of size 2 at
// EXPECT: Earlier write of size 4 at
// EXPECT: Earlier write of size 8 at
// EXPECT: Earlier write of size 16 at
#include "pieces.h"
#include "unordered.h"

static void first(void) {
    access_all();
}

static void second(void) {
    for (int size = 0; size < SIZES; size++)
        for (int offset = 0; offset < OFFSETS; offset++) {
            piece(size, offset)[0] = 1;
            piece(size, offset)[(2 << size) - 1] = 1;
        }
}
