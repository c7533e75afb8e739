// A recursion with a stack for each of its calls, whose innermost functions call libc, and are called by it: both have their stacks.
// LEVELS: O1
// REPORTS: 2
// EXPECT: data race on `copied\+262136`
// EXPECT: data race on `compared`
// EXPECT: #0 compare
// EXPECT: #0 visit  [^\n]*\n *#1 visit  [^\n]*\n *#2 first 
// EXPECT: #0 visit  [^\n]*\n *#1 second 
// EXPECT: each call of a recursion is shown once
#include "unordered.h"
#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 15 };
char copied[8 * NODES];
static volatile int compared;

__attribute__((noinline)) static int compare(const void *left, const void *right) {
    compared = *(const int *)left;
    return *(const int *)left - *(const int *)right;
}

__attribute__((noinline)) static void visit(int node, volatile size_t bytes) {
    if (node >= NODES) {
        char name[8] = {(char)node};
        memcpy(copied + 8 * (node - NODES), name, bytes);
        if (node == 2 * NODES - 1) {
            int numbers[3] = {node, node + 2, node + 1};
            qsort(numbers, 3, sizeof *numbers, compare);
        }
        return;
    }
    visit(2 * node, bytes);
    visit(2 * node + 1, bytes);
    __asm__ volatile("");
}

static void first(void) {
    visit(1, 8);
}

// The last of them.
static void second(void) {
    visit(2 * NODES - 1, 8);
}
