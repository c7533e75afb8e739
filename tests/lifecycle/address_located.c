// Whose memory an address is, and which code allocated it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/common_interface_defs.h>

#include "check.h"
#include "debugger.h"

static _Thread_local int own;
int shared[5];

static __attribute__((noinline)) void *allocate(unsigned long bytes) {
    void *block = malloc(bytes);
    __asm__ volatile("" : : "r"(block) : "memory");
    return block;
}

static void *look(void *block) {
    char name[100];
    uintptr_t start = 0, size = 0, trace[20];
    int thread = -1;
    unsigned os_thread = 0;
    int local = 0;
    CHECK(!strcmp(__tsan_locate_address((uintptr_t)&shared[3], name, sizeof name, &start, &size), "global"));
    CHECK(!strcmp(name, "shared") && start == (uintptr_t)shared && size == sizeof shared);
    CHECK(!strcmp(__tsan_locate_address((uintptr_t)&shared[3], name, 4, &start, &size), "global") && !strcmp(name, "sha"));
    CHECK(!strcmp(__tsan_locate_address((uintptr_t)block + 30, name, sizeof name, &start, &size), "heap"));
    CHECK(start == (uintptr_t)block && size == 40);
    CHECK(!strcmp(__tsan_locate_address((uintptr_t)&own, name, sizeof name, &start, &size), "tls"));
    CHECK(!strcmp(__tsan_locate_address((uintptr_t)&local, name, sizeof name, &start, &size), "stack"));
    CHECK(start < (uintptr_t)&local && (uintptr_t)&local < start + size);
    CHECK(!strcmp(__tsan_locate_address(12, 0, 0, 0, 0), ""));

    int frames = __tsan_get_alloc_stack((uintptr_t)block + 39, trace, 20, &thread, &os_thread);
    CHECK(frames >= 2 && thread == 0 && os_thread != 0);
    __sanitizer_symbolize_pc((void *)trace[0], "%f", name, sizeof name);
    CHECK(!strcmp(name, "allocate"));
    CHECK(__tsan_get_alloc_stack((uintptr_t)&local, trace, 20, &thread, &os_thread) == 0);

    CHECK(__sanitizer_get_allocated_size(block) == 40 && __sanitizer_get_ownership(block));
    CHECK(!__sanitizer_get_ownership((char *)block + 16) && !__sanitizer_get_ownership(&local));
    CHECK(__sanitizer_get_allocated_begin((char *)block + 7) == block);
    CHECK(__sanitizer_get_current_allocated_bytes() >= 40);
    CHECK(__sanitizer_get_heap_size() >= __sanitizer_get_current_allocated_bytes());
    CHECK(__sanitizer_get_estimated_allocated_size(100) >= 100);

    char path[300];
    void *offset = 0;
    CHECK(__sanitizer_get_module_and_offset_for_pc((void *)look, path, sizeof path, &offset) == 1);
    CHECK(strstr(path, "address_located") && offset && offset != (void *)look);
    CHECK(__sanitizer_get_module_and_offset_for_pc((void *)12, path, sizeof path, &offset) == 0);
    __sanitizer_symbolize_global(&shared[1], "<%g>", name, sizeof name);
    CHECK(!strcmp(name, "<shared>"));
    return 0;
}

int main(void) {
    pthread_t thread;
    void *block = allocate(40);
    CHECK(pthread_create(&thread, 0, look, block) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    look(block);
    free(block);
    return 0;
}
