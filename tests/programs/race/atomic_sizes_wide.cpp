// As its twin, but the pointer is looked at relaxed.
// FLAGS: -mcx16
// EXPECT: data race on `value`
#include <pthread.h>

#include "check.h"

struct alignas(16) Head {
    unsigned long count;
    int *top;
};
static union {
    Head head;
    unsigned __int128 both;
};
int value;

static void *writer(void *unused) {
    value = 1;
    unsigned __int128 seen = 0, wanted = (unsigned __int128)(unsigned long)&value << 64 | 1;
    CHECK(__sync_val_compare_and_swap(&both, seen, wanted) == seen);
    return unused;
}

int main() {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, writer, 0) == 0);
    int *top;
    while (!(top = __atomic_load_n(&head.top, __ATOMIC_RELAXED))) continue;
    CHECK(*top == 1);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
