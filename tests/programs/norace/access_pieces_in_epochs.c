// What was accessed in many epochs, in pieces of every size at every offset: the other thread touches the bytes before and after each.
#include "pieces.h"
#include "unordered.h"

static void first(void) {
    access_all();
}

static void second(void) {
    for (int size = 0; size < SIZES; size++)
        for (int offset = 0; offset < OFFSETS; offset++) {
            piece(size, offset)[-1] = 1;
            piece(size, offset)[2 << size] = 1;
        }
}
