// The constructor of an instrumented library starts a thread, before any constructor of the program has run.
// LEVELS: O1
// BUILD: $CC $FLAGS -shared -fPIC $DIR/parts/starts_thread.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC $OUT.so -o $OUT
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: #0 library_thread .*starts_thread\.c:11
#include "invisible.h"

extern volatile int library_shared;
extern int library_done;

int main(void) {
    invisible_wait(&library_done, 1);
    library_shared = 2;
    return 0;
}
