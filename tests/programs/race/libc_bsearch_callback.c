// A search compares with an element that another thread has written. What is read is read by the program's own comparison.
// EXPECT: data race on `table\[8\]`
#include <stdlib.h>

#include "check.h"
#include "unordered.h"

int table[16];

static int compare(const void *key, const void *element) {
    return *(const int *)key - *(const int *)element;
}
static void first(void) {
    table[8] = 0;
}
static void second(void) {
    static const int keys[] = {-1, 1};
    for (int i = 0; i < 2; i++) CHECK(bsearch(&keys[i], table, 16, sizeof table[0], compare) == 0);
}
