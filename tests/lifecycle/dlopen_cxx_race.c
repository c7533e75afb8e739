// A library in C++ is loaded for itself by a program in C: it binds to the program's interceptors of functions that only C++'s library has.
// LEVELS: O1
// BUILD: $CXX $FLAGS -shared -fPIC $DIR/parts/catches.cpp -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT -ldl
// RUN: exec $OUT $OUT.so
// RUN-EXIT: 66
// EXPECT: data race on `shared`
// EXPECT: Write .*\n +#0 go .*catches\.cpp:19\b
// EXPECT: Earlier write .*\n +#0 go.*catches\.cpp:14\b
// REPORTS: 1
#include <dlfcn.h>

int main(int count, char **arguments) {
    void *library = dlopen(arguments[count - 1], RTLD_NOW);
    if (!library) return 2;
    int (*go)(int) = (int (*)(int))dlsym(library, "go");
    return go(7) == 7 ? 0 : 3;
}
