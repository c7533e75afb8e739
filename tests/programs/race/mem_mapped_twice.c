// A page at two addresses is one: accesses at both are a race.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `one->shared`
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

struct Page {
    pthread_mutex_t mutex;
    volatile int shared;
};

static struct Page *one, *other;

__attribute__((constructor)) static void prepare(void) {
    int file = memfd_create("page", 0);
    CHECK(file >= 0 && ftruncate(file, 8192) == 0);
    one = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
    CHECK(one != MAP_FAILED && other != MAP_FAILED && close(file) == 0);
    one = (struct Page *)((char *)one + 4096);
    pthread_mutex_init(&one->mutex, 0);
}

static void first(void) {
    other->shared = 1;
}

static void second(void) {
    pthread_mutex_lock(&one->mutex);
    CHECK(one->shared == 1);
    one->shared = 2;
    pthread_mutex_unlock(&one->mutex);
}
