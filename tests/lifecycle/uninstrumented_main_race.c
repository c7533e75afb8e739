// The executable is not instrumented and loads an instrumented library; the runtime comes as a shared library.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/starts_thread.c -o $OUT.so
// BUILD: $LLVM/clang $FLAGS $SRC -o $OUT $OUT.so $(dirname $(dirname $CC))/lib/libgoldilocks_rt.so -Wl,-rpath,$(dirname $(dirname $CC))/lib
// EXPECT: data race
// EXPECT: #0 library_thread
void library_write(void);

int main(void) {
    library_write();
    return 0;
}
