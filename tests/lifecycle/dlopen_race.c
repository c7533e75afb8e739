// A race inside an instrumented library that is loaded while the program runs.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/plugin.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so
// REPORTS: 1
// EXPECT: Write of size 4 at
// EXPECT: #0 plugin_write .*plugin\.c:7
// EXPECT: `?plugin_shared
#include <dlfcn.h>
#include <pthread.h>

#include "invisible.h"

static void (*plugin_write)(int);
static int done;

static void *work(void *unused) {
    plugin_write(1);
    invisible_signal(&done);
    return unused;
}

int main(int count, char **arguments) {
    void *plugin = dlopen(arguments[count - 1], RTLD_NOW);
    if (!plugin) return 2;
    plugin_write = (void (*)(int))dlsym(plugin, "plugin_write");
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    plugin_write(2);
    pthread_join(thread, 0);
    return 0;
}
