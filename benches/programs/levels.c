// Breadth-first searches in one graph by all threads: each vertex has an atomic level, which is looked at by relaxed loads and set by a compare-and-swap.
// ARGS: 20
// QUICK: 4
// SMOKE: 1
// THREADS: 4
#include "workload.h"
#include <stdatomic.h>

enum { VERTICES = 1 << 14, DEGREE = 6 };
static int neighbours[VERTICES][DEGREE];
static atomic_int level[VERTICES];
static int frontier[2][VERTICES];
static atomic_int count_of[2];
static long searches, told;
static int parts;
static pthread_barrier_t barrier;

static unsigned long search(int me, int source) {
    for (int vertex = VERTICES / parts * me; vertex < VERTICES / parts * (me + 1); vertex++)
        atomic_store_explicit(&level[vertex], -1, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    if (me == 0) {
        atomic_store(&level[source], 0);
        frontier[0][0] = source;
        atomic_store(&count_of[0], 1);
        atomic_store(&count_of[1], 0);
    }
    pthread_barrier_wait(&barrier);
    unsigned long sum = 0;
    for (int depth = 0;; depth++) {
        int now = depth & 1, size = atomic_load(&count_of[now]);
        if (!size) return sum;
        for (int at = me; at < size; at += parts) {
            const int *near = neighbours[frontier[now][at]];
            for (int edge = 0; edge < DEGREE; edge++) {
                int unseen = -1, vertex = near[edge];
                if (atomic_load_explicit(&level[vertex], memory_order_relaxed) != -1) continue;
                if (!atomic_compare_exchange_strong(&level[vertex], &unseen, depth + 1)) continue;
                frontier[!now][atomic_fetch_add(&count_of[!now], 1)] = vertex;
                sum += (unsigned long)(depth + 1);
            }
        }
        pthread_barrier_wait(&barrier);
        if (me == 0) atomic_store(&count_of[now], 0);
        pthread_barrier_wait(&barrier);
    }
}

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long number = 0; number < searches; number++) {
        sum += search(me, (int)(number * 97 % VERTICES));
        if (SEEDED) told++;
    }
    return sum;
}

int main(int count, char **arguments) {
    searches = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    unsigned state = 3;
    for (int vertex = 0; vertex < VERTICES; vertex++)
        for (int edge = 0; edge < DEGREE; edge++) neighbours[vertex][edge] = (int)(next_number(&state) % VERTICES);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
