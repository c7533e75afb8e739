// Libraries that have a function themselves which the program knows by its interceptor alone: each calls its own, also at other addresses than one that is closed.
// LEVELS: O1
// BUILD: $LLVM/clang -O1 -shared -fPIC -DNUMBER=1 $DIR/parts/ends_catch.c -o $OUT.1.so
// BUILD: $LLVM/clang -O1 -shared -fPIC -DNUMBER=2 $DIR/parts/ends_catch.c -o $OUT.2.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.1.so $OUT.2.so
#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>

int main(int count, char **arguments) {
    for (int i = 0; i < 6; i++) {
        int number = i % 2 + 1;
        void *library = dlopen(arguments[count - 3 + number], RTLD_NOW);
        if (!library) return 2;
        int (*go)(void) = (int (*)(void))dlsym(library, "go");
        if (go() != number) return 3;
        if (dlclose(library)) return 4;
        // Nothing comes to these addresses again, and who goes there faults.
        void *page = (void *)((uintptr_t)go & ~4095ul);
        if (mmap(page, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page) return 5;
    }
    return 0;
}
