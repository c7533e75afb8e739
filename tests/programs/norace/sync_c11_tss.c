// Destructors of C11's thread-specific storage run in the thread, before it can be joined.
#include <stdlib.h>
#include <threads.h>

#include "check.h"

static tss_t key;
static int sum;

static void destroy(void *value) {
    sum += *(int *)value;
    free(value);
}

static int work(void *number) {
    int *value = malloc(sizeof *value);
    *value = *(int *)number;
    CHECK(tss_set(key, value) == thrd_success);
    return 0;
}

int main(void) {
    CHECK(tss_create(&key, destroy) == thrd_success);
    for (int i = 0; i < 10; i++) {
        thrd_t thread;
        CHECK(thrd_create(&thread, work, &i) == thrd_success);
        CHECK(thrd_join(thread, 0) == thrd_success);
    }
    tss_delete(key);
    CHECK(sum == 45);
    return 0;
}
