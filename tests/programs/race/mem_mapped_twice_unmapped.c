// The first of two mappings goes, and an access there still races with one at the other.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `\*other`
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int *one, *other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void) {
    int file = memfd_create("page", 0);
    CHECK(file >= 0 && ftruncate(file, 4096) == 0);
    one = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(one != MAP_FAILED && other != MAP_FAILED);
}

static void first(void) {
    *one = 1;
    CHECK(munmap((void *)one, 4096) == 0);
    // Somebody else's memory, which must not come to where the history is.
    char *more = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(more != MAP_FAILED && more != (char *)one);
    *more = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    *other = 2;
    CHECK(munmap((void *)other, 4096) == 0);
}
