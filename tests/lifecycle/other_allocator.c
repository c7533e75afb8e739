// A library that brings an allocator, as jemalloc and its like, is linked, or loaded before all others: blocks are seen all the same.
// FLAGS: -fno-builtin
// BUILD: $LLVM/clang -O1 -fno-builtin -shared -fPIC $DIR/parts/allocator.c -o $OUT.so
// BUILD: $CC $FLAGS $SRC -o $OUT
// BUILD: $CC $FLAGS $SRC $OUT.so -Wl,-rpath,$(dirname $OUT) -o $OUT.linked
// RUN: $OUT.linked; LD_PRELOAD=$OUT.so $OUT; $OUT.linked race || test $? = 66; LD_PRELOAD=$OUT.so $OUT race || test $? = 66
// RUN-EXIT: 0
// REPORTS: 2
// EXPECT: of a 64-byte block allocated by T0
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile char *block;

static void *write_block(void *unused) {
    block[40] = 1;
    return unused;
}

int main(int count, char **arguments) {
    pthread_t thread;
    char *line = 0;
    size_t size = 0;
    FILE *file = fopen(arguments[0], "r");
    if (getline(&line, &size, file) < 1 || malloc_usable_size(line) < size) return 1;
    free(line);
    fclose(file);
    free(strdup("kept"));
    void *aligned = memalign(64, 100);
    if ((size_t)aligned % 64) return 2;
    free(realloc(calloc(10, 10), 1000));
    free(aligned);
    block = malloc(64);
    pthread_create(&thread, 0, write_block, 0);
    if (count > 1) block[40] = 2;
    pthread_join(thread, 0);
    free((char *)block);
    return 0;
}
