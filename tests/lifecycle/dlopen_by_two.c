// Two threads load the same library: what its constructor has done comes before both, whoever of them was first.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/constructed.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so
#include <dlfcn.h>
#include <pthread.h>

#include "invisible.h"

static const char *name;
static int loaded;

static int use(void) {
    void *library = dlopen(name, RTLD_NOW);
    int (*sum)(void) = library ? (int (*)(void))dlsym(library, "constructed_sum") : 0;
    return sum && sum() == 10;
}

static void *first(void *unused) {
    int done = use();
    invisible_signal(&loaded);
    return done ? &loaded : unused;
}

int main(int count, char **arguments) {
    pthread_t thread;
    void *result;
    name = arguments[count - 1];
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&loaded, 1);
    if (!use()) return 2;
    pthread_join(thread, &result);
    return result ? 0 : 3;
}
