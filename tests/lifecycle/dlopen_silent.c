// A library is loaded, used by a thread, and unloaded, again and again: what comes to lie at its addresses is new.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/plugin.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so
#include <dlfcn.h>
#include <pthread.h>

static void *work(void *path) {
    void *plugin = dlopen(path, RTLD_NOW);
    if (!plugin) return path;
    void (*plugin_write)(int) = (void (*)(int))dlsym(plugin, "plugin_write");
    plugin_write(1);
    return dlclose(plugin) ? path : 0;
}

int main(int count, char **arguments) {
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        void *failed;
        pthread_create(&thread, 0, work, arguments[count - 1]);
        pthread_join(thread, &failed);
        if (failed) return 2;
    }
    return 0;
}
