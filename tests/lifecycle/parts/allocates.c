// A library that gives memory away, and opens another.
#include <dlfcn.h>
#include <stdlib.h>

void *allocates(void) {
    return malloc(100);
}

void gives_back(void *block) {
    free(block);
}

void *opens(const char *path) {
    return dlopen(path, RTLD_NOW | RTLD_DEEPBIND);
}
