// Of a recursion with more stacks than are told apart, a report shows the calls that were made: where all of them went one way, no call of the other.
// LEVELS: O1
// EXPECT: data race on `shared`
// EXPECT: #0 leaf [^\n]*\n +#1 visit [^\n]*\n +#2 even [^\n]*\n +#3 visit [^\n]*\n +#4 first 
// EXPECT: each call of a recursion is shown once
// REJECT: #[0-9]+ odd
#include "unordered.h"

enum { DEPTH = 16 };
static int shared, own[1 << DEPTH];

__attribute__((noinline)) static void leaf(volatile int *target, int node) {
    *target = node;
}

static void visit(int round, int node);

__attribute__((noinline)) static void even(int round, int node) {
    visit(round, node);
    __asm__ volatile("");
}

__attribute__((noinline)) static void odd(int round, int node) {
    visit(round, node);
    __asm__ volatile("");
}

// The leaf to which all calls are even is the first one; it comes again when all others have been there.
__attribute__((noinline)) static void visit(int round, int node) {
    if (node >= 1 << DEPTH) {
        int at = node - (1 << DEPTH);
        leaf(round && !at ? &shared : &own[at], node);
    } else {
        even(round, 2 * node);
        if (!round) odd(round, 2 * node + 1);
    }
    __asm__ volatile("");
}

static void first(void) {
    for (int round = 0; round < 2; round++) visit(round, 1);
}

static void second(void) {
    shared = 1;
}
