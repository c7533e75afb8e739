// An atomic of a size for which no processor has an instruction: the compiler calls libatomic, which takes a lock of its own. What counts
// is the order that the program has asked for.
// FLAGS: -Wno-atomic-alignment -latomic
#include "check.h"
#include "unordered.h"

struct triple {
    long a, b, c;
};
static struct triple shared;
static int message, reply;

static void first(void) {
    message = 1;
    struct triple value = {1, 2, 3};
    __atomic_store(&shared, &value, __ATOMIC_RELEASE);
}

static void second(void) {
    struct triple value, next = {4, 5, 6};
    __atomic_load(&shared, &value, __ATOMIC_ACQUIRE);
    CHECK(value.c == 3);
    message++;
    CHECK(__atomic_compare_exchange(&shared, &value, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    __atomic_exchange(&shared, &value, &next, __ATOMIC_RELAXED);
    CHECK(next.a == 4);
    reply = 1;
}
