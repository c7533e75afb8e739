// A function that calls itself for each of eight children, from eight places as the loop is unrolled, has no more stacks than one that calls itself from one place, and what
// races there has its stacks, with who has called it first.
// LEVELS: O2
// RUN: GOLDILOCKS_OPTIONS=stats=1 exec $OUT
// REPORTS: 1
// EXPECT: data race on `last`
// EXPECT: #0 visit [^\n]*\n +#1 visit [^\n]*\n +#2 first 
// EXPECT: #0 visit [^\n]*\n +#1 visit [^\n]*\n +#2 second 
// EXPECT: each call of a recursion is shown once
// EXPECT: , [0-9]{5,6} bytes of sites
#include "unordered.h"

enum { CHILDREN = 8, DEPTH = 6, NODES = 1 << 3 * DEPTH };
static int nodes[2][NODES];
static volatile int last;

__attribute__((noinline)) static void visit(int *mine, int node, int depth) {
    if (!depth) {
        if (node == NODES - 1) last = node;
        mine[node]++;
        return;
    }
    for (int child = 0; child < CHILDREN; child++) visit(mine, CHILDREN * node + child, depth - 1);
    mine[node]++;
}

static void first(void) {
    visit(nodes[0], 0, DEPTH);
}

static void second(void) {
    visit(nodes[1], 0, DEPTH);
}
