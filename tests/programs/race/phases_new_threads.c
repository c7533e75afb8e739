// The first thread has been alone for so long that nothing of before is remembered. What the next threads do is, and what it does beside them,
// though it has done the same before, in what would be the same sync epoch.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by thread T2
// EXPECT: Earlier read of size 4 at 0x[0-9a-f]+ by main thread
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "invisible.h"

enum { WORDS = 1 << 14 };
static volatile int shared, table[WORDS];
static atomic_int flag;
static int read_it;
static volatile int sink;

static void *fill(void *unused) {
    for (int i = 0; i < WORDS; i++) table[i] = i;
    atomic_store(&flag, 1);
    return unused;
}

static void *write_it(void *unused) {
    invisible_wait(&read_it, 1);
    shared = 1;
    return unused;
}

static void look(void) {
    sink = shared + atomic_load(&flag);
}

int main(void) {
    pthread_t thread;
    CHECK(!pthread_create(&thread, 0, fill, 0));
    look();
    pthread_join(thread, 0);
    look();
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < WORDS; i++) table[i]++;
    CHECK(!pthread_create(&thread, 0, write_it, 0));
    look();
    invisible_signal(&read_it);
    pthread_join(thread, 0);
    return 0;
}
