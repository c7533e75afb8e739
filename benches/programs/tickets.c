// Threads take pieces of work by a number under a lock, and walk for each through a tree that all of them read.
// ARGS: 2000
// QUICK: 400
// SMOKE: 8
// THREADS: 4
#include "workload.h"

enum { NODES = 2000, KIDS = 4, WALKS = 16 };

static struct node {
    double mass, at[3];
    struct node *kids[KIDS];
    int leaf;
} nodes[NODES];
static long pieces, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// What is near counts in all its parts, what is far as a whole.
static double pull(const struct node *node, const double *at) {
    double distance = 0;
    for (int i = 0; i < 3; i++) distance += (node->at[i] - at[i]) * (node->at[i] - at[i]);
    if (node->leaf || distance > 0.5) return node->mass / (1 + distance);
    double sum = 0;
    for (int i = 0; i < KIDS; i++)
        if (node->kids[i]) sum += pull(node->kids[i], at);
    return sum;
}

static long take(void) {
    if (!SEEDED) pthread_mutex_lock(&lock);
    long piece = taken++;
    if (!SEEDED) pthread_mutex_unlock(&lock);
    return piece;
}

static unsigned long work(int me) {
    (void)me;
    unsigned long sum = 0;
    for (long piece = take(); piece < pieces; piece = take()) {
        unsigned state = (unsigned)piece + 1;
        for (int walk = 0; walk < WALKS; walk++) {
            double at[3];
            for (int i = 0; i < 3; i++) at[i] = next_number(&state) % 1000 / 1000.0;
            sum += (unsigned long)(pull(nodes, at) * 1000);
        }
    }
    return sum;
}

int main(int count, char **arguments) {
    pieces = size_argument(count, arguments);
    unsigned state = 1;
    for (int i = 0; i < NODES; i++) {
        for (int axis = 0; axis < 3; axis++) nodes[i].at[axis] = next_number(&state) % 1000 / 1000.0;
        nodes[i].mass = 1;
        nodes[i].leaf = i * KIDS + 1 >= NODES;
        for (int kid = 0; kid < KIDS; kid++)
            if (i * KIDS + 1 + kid < NODES) nodes[i].kids[kid] = &nodes[i * KIDS + 1 + kid];
    }
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
