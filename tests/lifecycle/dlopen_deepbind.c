// A library that is to look for functions in libraries of its own first has the program's malloc all the same, whoever loads it.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/allocates.c -o $OUT.so
// BUILD: cp $OUT.so $OUT-other.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so $OUT-other.so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void there_and_back(void *library) {
    void *(*allocates)(void) = (void *(*)(void))dlsym(library, "allocates");
    void (*gives_back)(void *) = (void (*)(void *))dlsym(library, "gives_back");
    for (int i = 0; i < 100; i++) {
        free(memset(allocates(), 1, 100));
        gives_back(memset(malloc(100), 1, 100));
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_DEEPBIND);
    if (!library) return 3;
    there_and_back(library);
    void *other = ((void *(*)(const char *))dlsym(library, "opens"))(arguments[2]);
    if (!other) return 4;
    there_and_back(other);
    return 0;
}
