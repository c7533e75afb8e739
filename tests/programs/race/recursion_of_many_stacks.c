// A recursion has a stack for each of its calls: a million of them take no ten megabytes, and what races there has its stacks.
// LEVELS: O1
// RUN: GOLDILOCKS_OPTIONS=stats=1 exec $OUT
// EXPECT: data race on `last`
// EXPECT: #0 visit
// EXPECT: #1 visit
// EXPECT: each call of a recursion is shown once
// EXPECT: , [0-9]{5,7} bytes of sites
#include "unordered.h"

enum { NODES = 1 << 20 };
static int nodes[2 * NODES];
static volatile int last;

__attribute__((noinline)) static void visit(int *mine, int node) {
    if (node >= NODES) {
        last = node;
        return;
    }
    mine[node]++;
    visit(mine, 2 * node);
    visit(mine, 2 * node + 1);
    __asm__ volatile("");
}

static void first(void) {
    visit(nodes, 1);
}

static void second(void) {
    visit(nodes + NODES, 1);
}
