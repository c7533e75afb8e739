// An atomic of a size for which no processor has an instruction: libatomic's own lock is no order of the program's, and a plain access of a
// part races with it.
// FLAGS: -Wno-atomic-alignment -latomic
// REPORTS: 2
// EXPECT: data race on `message`
// EXPECT: (Write|write) of size 8 [^\n]*\n[^\n]*second
#include "check.h"
#include "unordered.h"

struct triple {
    long a, b, c;
};
static struct triple shared;
static int message;

static void first(void) {
    message = 1;
    struct triple value = {1, 2, 3};
    __atomic_store(&shared, &value, __ATOMIC_RELEASE);
}

static void second(void) {
    struct triple value;
    __atomic_load(&shared, &value, __ATOMIC_RELAXED);
    CHECK(value.c == 3);
    message++;
    shared.b = 7;
}
