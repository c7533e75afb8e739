// An allocator in place of libc's, which has libc's internal names as well, as such have. Whoever mixes its blocks with libc's, or uses it before it is
// ready, is told.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static char memory[1 << 20] __attribute__((aligned(16)));
static size_t used;
static int ready;

__attribute__((constructor)) static void get_ready(void) {
    ready = 1;
}

static void check(const void *block) {
    if (!ready || (block && ((const char *)block < memory || (const char *)block >= memory + sizeof memory))) __builtin_trap();
}

static size_t *head(void *block) {
    return (size_t *)block - 2;
}

static void *aligned(size_t alignment, size_t size) {
    check(0);
    uintptr_t at = ((uintptr_t)memory + used + 16 + alignment - 1) / alignment * alignment;
    used = at + size - (uintptr_t)memory;
    *head((void *)at) = size;
    return (void *)at;
}

void *__libc_malloc(size_t size) {
    return aligned(16, size);
}
void __libc_free(void *block) {
    check(block);
}
size_t malloc_usable_size(void *block) {
    check(block);
    return block ? *head(block) : 0;
}
void *malloc(size_t size) {
    return aligned(16, size);
}
void *calloc(size_t count, size_t size) {
    return memset(aligned(16, count * size), 0, count * size);
}
void *realloc(void *block, size_t size) {
    size_t old = malloc_usable_size(block);
    return memcpy(aligned(16, size), block ? block : memory, old < size ? old : size);
}
void *memalign(size_t alignment, size_t size) {
    return aligned(alignment < 16 ? 16 : alignment, size);
}
void free(void *block) {
    check(block);
}
