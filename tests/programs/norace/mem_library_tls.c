// Thread-local variables of a loaded library: libc frees the memory of an ended thread's in whatever thread comes next.
// LEVELS: O1
// BUILD: $CC $FLAGS -DLIBRARY -shared -fPIC $SRC -o $OUT.so
// BUILD: $CC $FLAGS -DNAME="\"$OUT.so\"" $SRC -o $OUT
#ifdef LIBRARY

__thread char variables[5000];

int use(int at) {
    variables[at] = at;
    return variables[at];
}

#else

#include <dlfcn.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static int ended;

static void *worker(void *unused) {
    void *library = dlopen(NAME, RTLD_NOW);
    CHECK(library);
    int (*use)(int) = (int (*)(int))dlsym(library, "use");
    CHECK(use && use(7) == 7);
    dlclose(library);
    invisible_signal(&ended);
    return unused;
}

int main(void) {
    for (int round = 1; round <= 5; round++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, 0, worker, 0) == 0);
        pthread_detach(thread);
        invisible_wait(&ended, round);
        invisible_pause(20);
    }
    return 0;
}

#endif
