// The accesses of an object that was compiled for ThreadSanitizer are checked.
// BUILD: $LLVM/clang -fsanitize=thread $FLAGS -DTHREADS -c $SRC -o $OUT.o
// BUILD: $CC $FLAGS $SRC $OUT.o -o $OUT
// RUN: $OUT
// REPORTS: 3
// EXPECT: data race on .*plain
// EXPECT: data race on .*bytes
// EXPECT: data race on .*packed
#include <stdatomic.h>
#include <string.h>

extern atomic_int flag;
extern _Atomic(__int128) wide;
extern volatile int plain;
extern volatile char bytes[64];
extern volatile struct __attribute__((packed)) packed { char first; int second; } packed;

#ifdef THREADS
// This part is compiled by another compiler's instrumentation.
void *first(void *argument) {
    plain = 1;
    memset((char *)bytes, 1, sizeof bytes);
    packed.second = 1;
    atomic_store_explicit(&wide, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&flag, 1, memory_order_release);
    return argument;
}

void second(void) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    plain = 2;
    memset((char *)bytes, 2, sizeof bytes);
    packed.second = 2;
}
#else
#include <pthread.h>

atomic_int flag;
_Atomic(__int128) wide;
volatile int plain;
volatile char bytes[64];
volatile struct packed packed;
void *first(void *);
void second(void);

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    second();
    pthread_join(thread, 0);
    return atomic_load(&wide) == 1 ? 0 : 1;
}
#endif
