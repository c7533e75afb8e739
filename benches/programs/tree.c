// A binary search tree under one lock: most look up, some insert; the nodes come from the heap.
// ARGS: 400000
// QUICK: 60000
// SMOKE: 100
// THREADS: 2
#include "workload.h"

struct node {
    struct node *left, *right;
    unsigned key, count;
};
static struct node *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static struct node **find(unsigned key) {
    struct node **at = &root;
    while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    return at;
}

static unsigned long work(int me) {
    unsigned state = 11 + (unsigned)me;
    if (SEEDED) root = 0;
    for (long i = 0; i < rounds; i++) {
        unsigned key = next_number(&state) % 30000;
        pthread_mutex_lock(&lock);
        struct node **place = find(key);
        if (i % 4 == 0 && !*place) {
            *place = calloc(1, sizeof **place);
            (*place)->key = key;
        }
        if (i % 4 == 0) (*place)->count++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static unsigned long sum(struct node *node) {
    if (!node) return 0;
    unsigned long result = sum(node->left) + sum(node->right) + (unsigned long)node->key * node->count;
    free(node);
    return result;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    in_threads(threads_argument(count, arguments), work);
    printf("%lu\n", sum(root));
}
