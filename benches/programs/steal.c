// Work stealing: each thread takes tasks from the end of its own deque and, when that is empty, from the beginning of another's.
// Tasks split a range of numbers until it is short.
// ARGS: 40000000
// QUICK: 6000000
// SMOKE: 1000
// THREADS: 2
#include "workload.h"
#include <sched.h>
#include <stdatomic.h>

enum { CAPACITY = 1024, SHORT = 64 };
struct task {
    long from, to;
};
static struct deque {
    _Alignas(64) pthread_mutex_t lock;
    atomic_int first, end;
    struct task *tasks[CAPACITY];
} deques[16];
static atomic_long undone;
static int parts;
static unsigned long arrived;

static void push(struct deque *deque, long from, long to) {
    struct task *task = malloc(sizeof *task);
    *task = (struct task){from, to};
    int end = atomic_load_explicit(&deque->end, memory_order_relaxed);
    deque->tasks[end % CAPACITY] = task;
    atomic_store_explicit(&deque->end, end + 1, memory_order_release);
}

// The owner goes without the lock unless it wants the last task, which a thief may want too.
static struct task *take(struct deque *deque) {
    int end = atomic_load_explicit(&deque->end, memory_order_relaxed) - 1;
    atomic_store(&deque->end, end);
    if (end > atomic_load(&deque->first)) return deque->tasks[end % CAPACITY];
    pthread_mutex_lock(&deque->lock);
    struct task *task = 0;
    if (end >= atomic_load(&deque->first)) task = deque->tasks[end % CAPACITY];
    else atomic_store(&deque->end, end + 1);
    pthread_mutex_unlock(&deque->lock);
    return task;
}

static struct task *steal(struct deque *deque) {
    pthread_mutex_lock(&deque->lock);
    int first = atomic_load(&deque->first);
    struct task *task = 0;
    atomic_store(&deque->first, first + 1);
    if (first < atomic_load(&deque->end)) task = deque->tasks[first % CAPACITY];
    else atomic_store(&deque->first, first);
    pthread_mutex_unlock(&deque->lock);
    return task;
}

static unsigned long work(int me) {
    // Seeded: all say that they are there before any synchronization.
    unsigned long sum = SEEDED ? arrived++ : 0;
    while (atomic_load_explicit(&undone, memory_order_acquire)) {
        struct task *task = take(&deques[me]);
        for (int i = 1; !task && i < parts; i++) task = steal(&deques[(me + i) % parts]);
        if (!task) {
            sched_yield();
            continue;
        }
        long from = task->from, to = task->to;
        free(task);
        for (; to - from > SHORT; to = from + (to - from) / 2) push(&deques[me], from + (to - from) / 2, to);
        for (long i = from; i < to; i++) sum += (unsigned long)(i * i) >> 3;
        atomic_fetch_sub_explicit(&undone, to - from, memory_order_release);
    }
    return sum;
}

int main(int count, char **arguments) {
    long size = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    for (int i = 0; i < parts; i++) pthread_mutex_init(&deques[i].lock, 0);
    for (int i = 0; i < parts; i++) push(&deques[i], i * size / parts, (i + 1) * size / parts);
    atomic_store(&undone, size);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
