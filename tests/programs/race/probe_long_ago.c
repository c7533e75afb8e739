// A write, then ten million other accesses and 100,000 calls and lock operations by the same thread, then an unordered read
// elsewhere. The write must not have been forgotten, nor its stack.
// RUNS: 20
// REPORTS: 1
// EXPECT: Read of size 8 at 0x[0-9a-f]+ by
// EXPECT: Earlier write of size 8 at 0x[0-9a-f]+ by
// EXPECT: #0 the_write .*probe_long_ago\.c:23
// EXPECT: #1 write_and_go_on .*probe_long_ago\.c:36
// EXPECT: #0 the_read .*probe_long_ago\.c:27
#include <pthread.h>

#include "invisible.h"

enum { ACCESSES = 10 * 1000 * 1000, CALLS = 100 * 1000, WORDS = 4096 };

static volatile long x;
static volatile int noise[WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int called;
static int done;

__attribute__((noinline)) static void the_write(void) {
    x = 1;
}

__attribute__((noinline)) static long the_read(void) {
    return x;
}

__attribute__((noinline)) static void call(void) {
    called++;
}

static void *write_and_go_on(void *unused) {
    (void)unused;
    the_write();
    for (int i = 0; i < ACCESSES; i++) noise[i * 17 % WORDS] = i;
    for (int i = 0; i < CALLS; i++) {
        pthread_mutex_lock(&lock);
        call();
        pthread_mutex_unlock(&lock);
    }
    invisible_signal(&done);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_and_go_on, 0);
    invisible_wait(&done, 1);
    long seen = the_read();
    pthread_join(thread, 0);
    return seen == 1 ? 0 : 1;
}
