// A program that makes system calls by itself says so to whoever wants to know.
// FLAGS: -D_GNU_SOURCE
#include <sanitizer/linux_syscall_hooks.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "ordered.h"

static int ends[2];
static char sent = 1;

static void first(void) {
    CHECK(pipe(ends) == 0);
    __sanitizer_syscall_pre_write(ends[1], &sent, 1);
    long result = syscall(SYS_write, ends[1], &sent, 1);
    __sanitizer_syscall_post_write(result, ends[1], &sent, 1);
    CHECK(result == 1);
}

static void second(void) {
    char got = 0;
    __sanitizer_syscall_pre_read(ends[0], &got, 1);
    long result = syscall(SYS_read, ends[0], &got, 1);
    __sanitizer_syscall_post_read(result, ends[0], &got, 1);
    CHECK(result == 1 && got == sent);
    for (int i = 0; i < 2; i++) {
        __sanitizer_syscall_pre_close(ends[i]);
        result = syscall(SYS_close, ends[i]);
        __sanitizer_syscall_post_close(result, ends[i]);
        CHECK(result == 0);
    }
}
