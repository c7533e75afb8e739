// An increment, ordered by a join.
#include "ordered.h"

static volatile long counter;

static void first(void) {
    counter++;
}

static void second(void) {
    counter++;
}
