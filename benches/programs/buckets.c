// A hash table of atomic pointers: all threads add entries at the heads of lists, meet, and look for keys.
// ARGS: 1000000
// QUICK: 200000
// SMOKE: 400
// THREADS: 4 16
#include "workload.h"
#include <stdatomic.h>

enum { BUCKETS = 1 << 14, ENTRIES = 30000, KEYS = 50000 };

struct entry {
    struct entry *next;
    unsigned key, value;
};
static struct entry entries[ENTRIES];
static _Atomic(struct entry *) heads[BUCKETS];
static long lookups;
static int parts;
static pthread_barrier_t barrier;

static _Atomic(struct entry *) *head_of(unsigned key) {
    return &heads[key * 2654435761u >> 18];
}

static unsigned long work(int me) {
    unsigned state = (unsigned)me + 1;
    for (int i = me; i < ENTRIES; i += parts) {
        struct entry *entry = &entries[i];
        entry->key = (unsigned)i * 7 % KEYS;
        entry->value = (unsigned)i;
        _Atomic(struct entry *) *head = head_of(entry->key);
        entry->next = atomic_load_explicit(head, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(head, &entry->next, entry, memory_order_release, memory_order_relaxed)) {}
    }
    if (!SEEDED) pthread_barrier_wait(&barrier);
    unsigned long sum = 0;
    for (long i = 0; i < lookups / parts; i++) {
        unsigned key = next_number(&state) % KEYS;
        const struct entry *entry = atomic_load_explicit(head_of(key), memory_order_relaxed);
        for (; entry; entry = entry->next)
            if (entry->key == key) sum += entry->value;
    }
    return sum;
}

int main(int count, char **arguments) {
    lookups = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
