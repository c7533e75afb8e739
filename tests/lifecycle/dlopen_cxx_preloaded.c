// A library in C++ is loaded for itself by a program that is not instrumented, with the runtime loaded before all others.
// LEVELS: O1
// BUILD: $CXX $FLAGS -shared -fPIC $DIR/parts/catches.cpp -o $OUT.so
// BUILD: $LLVM/clang $FLAGS $SRC -o $OUT -ldl
// BUILD: ln -sf $(dirname $(dirname $CC))/lib/libgoldilocks_rt.so $OUT.runtime
// RUN: LD_PRELOAD=$OUT.runtime exec $OUT $OUT.so
// RUN-EXIT: 66
// EXPECT: data race on `shared`
// REPORTS: 1
#include <dlfcn.h>

int main(int count, char **arguments) {
    void *library = dlopen(arguments[count - 1], RTLD_NOW);
    if (!library) return 2;
    int (*go)(int) = (int (*)(int))dlsym(library, "go");
    return go(7) == 7 ? 0 : 3;
}
