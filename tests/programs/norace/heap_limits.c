// What malloc and its kin cannot do they refuse as libc does.
// FLAGS: -fno-builtin
// LEVELS: O0
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static void refused(void *block) {
    CHECK(!block && errno == ENOMEM);
    errno = 0;
}

int main(void) {
    volatile size_t all = SIZE_MAX;
    errno = 0;
    refused(malloc(all));
    refused(malloc(PTRDIFF_MAX));
    refused(malloc(all - 8));
    refused(calloc(all / 2, 3));
    refused(reallocarray(0, all / 2, 3));
    refused(aligned_alloc(1 << 20, all - 100));
    refused(valloc(all));
    refused(pvalloc(all));
    char *kept = malloc(10);
    kept[9] = 7;
    refused(realloc(kept, all));
    CHECK(kept[9] == 7);
    void *block = kept;
    CHECK(posix_memalign(&block, 3, 10) == EINVAL && posix_memalign(&block, 4, 10) == EINVAL);
    CHECK(posix_memalign(&block, 16, all) == ENOMEM && block == kept);
    for (size_t alignment = 16; alignment <= 1 << 21; alignment *= 2) {
        char *aligned = memalign(alignment, 100);
        CHECK((uintptr_t)aligned % alignment == 0 && malloc_usable_size(aligned) >= 100);
        aligned[99] = 5;
        aligned = realloc(aligned, 5000);
        CHECK(aligned[99] == 5);
        free(aligned);
    }
    errno = 5;
    free(malloc(0));
    free(0);
    free(kept);
    CHECK(errno == 5);
    return 0;
}
