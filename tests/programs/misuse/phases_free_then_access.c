// Blocks are used after they were freed, in order: by the first thread when it has been alone for long, after a thread that it has joined has freed
// one; and by a thread that it makes later, after it has freed another one while it was alone.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: heap use after free
// EXPECT: ^  Write of size 1 .*by main thread T0
// EXPECT: ^  Earlier free of size .* by thread T1
// EXPECT: ^  Read of size 1 .*by thread T2
// EXPECT: ^  Earlier free of size .* by main thread T0
// EXPECT: ^Goldilocks: 2 findings
// REJECT: data race
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

enum { WORDS = 1 << 14 };
static volatile long table[WORDS];
static volatile char *first, *second;
static volatile char sink;

static void *begin(void *unused) {
    first = malloc(100);
    second = malloc(100);
    for (int i = 0; i < WORDS; i++) table[i] = i;
    for (int i = 0; i < 100; i++) first[i] = second[i] = 1;
    free((void *)first);
    return unused;
}

static void *end(void *unused) {
    sink = second[50];
    return unused;
}

static void in_thread(void *(*work)(void *)) {
    pthread_t thread;
    CHECK(!pthread_create(&thread, 0, work, 0));
    pthread_join(thread, 0);
}

int main(void) {
    in_thread(begin);
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < WORDS; i++) table[i]++;
    first[30] = 1;
    free((void *)second);
    in_thread(end);
    return 0;
}
