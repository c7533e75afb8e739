// A thread-local variable of a library that was loaded late is in a block of the dynamic linker's, which no thread has allocated.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/own.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so
// REPORTS: 1
// EXPECT: Write of size 4 at
// REJECT: allocated by
// REJECT: task
#include <dlfcn.h>
#include <pthread.h>

#include "invisible.h"

static volatile int *(*address_of_own)(void);
static volatile int *of_thread;
static int done, over;

static void *work(void *unused) {
    volatile int *own = address_of_own();
    __atomic_store_n(&of_thread, own, __ATOMIC_RELAXED);
    own[5] = 1;
    invisible_signal(&done);
    invisible_wait(&over, 1);
    return unused;
}

int main(int count, char **arguments) {
    void *plugin = dlopen(arguments[count - 1], RTLD_NOW);
    if (!plugin) return 2;
    address_of_own = (volatile int *(*)(void))dlsym(plugin, "address_of_own");
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    __atomic_load_n(&of_thread, __ATOMIC_RELAXED)[5] = 2;
    invisible_signal(&over);
    pthread_join(thread, 0);
    return 0;
}
