// A program that is its own allocator, which locks, maps and loops over a few bytes: the dynamic linker calls it before anything of the runtime is there.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O0 O2
// REPORTS: 1
// EXPECT: data race on `shared`
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "invisible.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *next, *end;

static void fill(unsigned char *seed) {
    for (int i = 0; i < 32; i++) seed[i] = i * 3;
}

static void (*volatile filler)(unsigned char *) = fill;
static unsigned number;

// As allocators do, which make room at random.
static void begin(void) {
    unsigned char seed[32];
    filler(seed);
    for (int i = 0; i < 8; i++) {
        const unsigned char *part = seed + 4 * i;
        number ^= part[0] | part[1] << 8 | part[2] << 16 | (unsigned)part[3] << 24;
    }
}

static void *take(size_t alignment, size_t bytes) {
    if (alignment < 16) alignment = 16;
    pthread_mutex_lock(&lock);
    if (!number) begin();
    uintptr_t at = ((uintptr_t)next + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (!next || at + bytes > (uintptr_t)end) {
        size_t size = (bytes + alignment + (1 << 20)) & ~(size_t)4095;
        next = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (next == MAP_FAILED) {
            next = 0;
            pthread_mutex_unlock(&lock);
            errno = ENOMEM;
            return 0;
        }
        end = next + size;
        at = ((uintptr_t)next + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
    }
    next = (char *)at + bytes;
    ((size_t *)at)[-1] = bytes;
    pthread_mutex_unlock(&lock);
    return (void *)at;
}

void *malloc(size_t bytes) {
    return take(16, bytes);
}

void free(void *block) {
    (void)block;
}

void *calloc(size_t count, size_t bytes) {
    void *block = take(16, count * bytes);
    return block ? memset(block, 0, count * bytes) : 0;
}

void *realloc(void *old, size_t bytes) {
    void *block = take(16, bytes);
    if (block && old) memcpy(block, old, ((size_t *)old)[-1] < bytes ? ((size_t *)old)[-1] : bytes);
    return block;
}

void *memalign(size_t alignment, size_t bytes) {
    return take(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return take(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    *block = take(alignment, bytes);
    return *block ? 0 : ENOMEM;
}

static volatile int shared;
static int done;

static void *work(void *unused) {
    char *block = malloc(100);
    block[5] = 1;
    free(block);
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
