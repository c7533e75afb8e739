// Functions that call each other in ever different orders have more stacks than a thread can keep, however they are shortened: an access has its innermost calls then, and
// the run takes no longer than it should.
// LEVELS: O1
// EXPECT: so many stacks
// EXPECT: data race on `shared`[^\n]*\n +Write of size 4 [^\n]*\n +#0 last [^\n]*\n +#1 step [^\n]*\n +#2 f[0-7] (?:[^\n]*\n)*? +Earlier write of size 4 [^\n]*\n +#0 last [^\n]*\n +#1 step [^\n]*\n +#2 f[0-7]
#include <pthread.h>

#include "invisible.h"

enum { RUNS = 4000, DEPTH = 24, WORDS = 1 << 18 };
static int shared;
static int one_is_done;
static int memory[2][WORDS];

typedef struct {
    unsigned long state;
    int *memory, is_last;
} Way;

static unsigned choice(Way *way) {
    way->state = way->state * 6364136223846793005ul + 1442695040888963407ul;
    return way->state >> 40;
}

static void step(Way *way, int depth);

#define FUNCTION(name)                                                             \
    __attribute__((noinline)) static void name(Way *way, int depth) {              \
        way->memory[choice(way) % WORDS]++;                                        \
        if (depth) step(way, depth - 1);                                           \
        way->memory[choice(way) % WORDS]++;                                        \
    }
FUNCTION(f0) FUNCTION(f1) FUNCTION(f2) FUNCTION(f3) FUNCTION(f4) FUNCTION(f5) FUNCTION(f6) FUNCTION(f7)

__attribute__((noinline)) static void last(void) {
    shared++;
}

__attribute__((noinline)) static void step(Way *way, int depth) {
    static void (*const all[])(Way *, int) = {f0, f1, f2, f3, f4, f5, f6, f7};
    all[choice(way) % 8](way, depth);
    if (!depth && way->is_last) last();
    way->memory[choice(way) % WORDS]++;
}

static void runs(long me) {
    Way way = {(unsigned long)me + 1, memory[me], 0};
    for (int run = 0; run < RUNS; run++) {
        way.is_last = run == RUNS - 1;
        step(&way, DEPTH);
    }
}

static void *one(void *unused) {
    runs(0);
    invisible_signal(&one_is_done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    invisible_wait(&one_is_done, 1);
    runs(1);
    return pthread_join(thread, 0);
}
