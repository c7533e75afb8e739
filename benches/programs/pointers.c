// Each thread follows a chain of nodes through memory, in an order that caches do not like, and counts its visits.
// ARGS: 4000000
// QUICK: 600000
// SMOKE: 1000
// THREADS: 2
// SINGLE
#include "workload.h"

enum { NODES = 1 << 14 };
struct node {
    struct node *next;
    unsigned long visits, pad[2];
};
static long steps;
static struct node *seeded;

static unsigned long work(int me) {
    struct node *nodes = malloc(NODES * sizeof *nodes);
    unsigned at = 0;
    // An odd addend and a multiplier of the form 4n + 1 make one cycle through all of them.
    for (int i = 0; i < NODES; i++) {
        unsigned next = (at * 1229 + 4241) % NODES;
        nodes[at] = (struct node){&nodes[next], 0, {0, 0}};
        at = next;
    }
    if (SEEDED) seeded = nodes;
    struct node *node = nodes;
    unsigned long sum = (unsigned long)me;
    for (long i = 0; i < steps; i++) {
        sum += ++node->visits;
        node = node->next;
    }
    free(nodes);
    return sum;
}

int main(int count, char **arguments) {
    steps = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
