// Searches of two threads, in parts of one table that are their own, and by both in one that nobody writes.
#include <stdlib.h>

#include "check.h"
#include "unordered.h"

int table[16];
static const int all[] = {1, 2, 3, 4, 5, 6, 7};

static int compare(const void *key, const void *element) {
    return *(const int *)key - *(const int *)element;
}
static void search(int *part, int add) {
    for (int i = 0; i < 8; i++) part[i] = i + add;
    for (int key = add; key < add + 8; key++) CHECK(bsearch(&key, part, 8, sizeof part[0], compare) == &part[key - add]);
    for (int key = 1; key <= 7; key++) CHECK(bsearch(&key, all, 7, sizeof all[0], compare) == &all[key - 1]);
}
static void first(void) {
    search(table, 0);
}
static void second(void) {
    search(table + 8, 100);
}
