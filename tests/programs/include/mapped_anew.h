// A file is mapped twice, and then something else where the first of the two was; KIND says how. The second one is memory of its own, which with RACE a third mapping is as
// well.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

#define REPLACED 0
#define UNMAPPED 1
#define ZEROES 2
enum { PAGE = 4096 };
static volatile int *one, *other;

static void *map(void *where, int flags, int file) {
    void *mapped = mmap(where, PAGE, PROT_READ | PROT_WRITE, flags, file, 0);
    CHECK(mapped != MAP_FAILED);
    return mapped;
}

__attribute__((constructor)) static void prepare(void) {
    int file = KIND == ZEROES ? open("/dev/zero", O_RDWR) : memfd_create("file", 0);
    CHECK(file >= 0 && (KIND == ZEROES || !ftruncate(file, PAGE)));
    void *first = map(0, MAP_SHARED, file);
    other = map(0, MAP_SHARED, file);
#if KIND == UNMAPPED
    CHECK(!munmap(first, PAGE));
#endif
#if KIND != ZEROES
    first = map(first, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
#endif
    one = first;
#ifdef RACE
    one = map(0, MAP_SHARED, file);
#endif
}

static void first(void) {
    *one = 1;
}

static void second(void) {
    *other = 2;
#ifdef RACE
    CHECK(*one == 2);
#else
    CHECK(*other == 2);
#endif
}
