// A loop that the first thread has run before there was another one, and runs again beside it: first in the same call of a function.
// LEVELS: O0 O1 O2 O3
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by thread T1
// EXPECT: Earlier read of size 4 at 0x[0-9a-f]+ by main thread
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { LENGTH = 100 };
struct node {
    struct node *next;
    int value;
};
static struct node nodes[LENGTH];
static int read_it;
static int sum;

__attribute__((noinline)) static int add_up(const struct node *node) {
    int all = 0;
    for (; node; node = node->next) all += node->value;
    return all;
}

static void *change(void *unused) {
    invisible_wait(&read_it, 1);
    nodes[LENGTH / 2].value = 7;
    return unused;
}

int main(void) {
    for (int i = 0; i < LENGTH; i++) {
        nodes[i].next = i + 1 < LENGTH ? &nodes[i + 1] : 0;
        nodes[i].value = i;
    }
    pthread_t thread;
    for (int round = 0; round < 3; round++) {
        // The second round has a thread beside it.
        if (round == 1) CHECK(!pthread_create(&thread, 0, change, 0));
        sum += add_up(nodes);
    }
    invisible_signal(&read_it);
    pthread_join(thread, 0);
    return sum == 0;
}
