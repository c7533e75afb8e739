// Wherever a thread is in a check, its stack can be unwound to the program's: by debuggers, profilers, and where it is canceled asynchronously.
// LEVELS: O1
// RUN-EXIT: 0
// EXPECT: unwound at each of
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

#include "pieces.h"

enum { TRAP = 1 << 8 };

// As the kernel has it: what the runtime makes of handlers is not to be between.
struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    unsigned long mask;
};

static long kernel_sigaction(int signal, const struct kernel_action *new, struct kernel_action *old) {
    register long size __asm__("r10") = 8;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_rt_sigaction), "D"((long)signal), "S"(new), "d"(old), "r"(size) : "rcx", "r11", "memory");
    return result;
}

static _Atomic int counter;
static long steps, lost;
static unsigned long first_lost;
static _Unwind_Word outermost;

__attribute__((noinline, disable_sanitizer_instrumentation)) static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found) {
    if (_Unwind_GetRegionStart(context) == outermost) *(int *)found = 1;
    return _URC_NO_REASON;
}

// Beyond the red zone.
__attribute__((noinline, disable_sanitizer_instrumentation)) static void trap(int on) {
    if (on)
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq %0, (%%rsp); popfq; lea 128(%%rsp), %%rsp" : : "i"(TRAP) : "cc", "memory");
    else
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq %0, (%%rsp); popfq; lea 128(%%rsp), %%rsp" : : "i"(~TRAP) : "cc", "memory");
}

__attribute__((disable_sanitizer_instrumentation)) static void stepped(int signal, siginfo_t *info, void *raw) {
    (void)signal, (void)info;
    unsigned long at = ((ucontext_t *)raw)->uc_mcontext.gregs[REG_RIP];
    int found = 0;
    // It moves the stack, which the compiler does not know.
    if (_Unwind_FindEnclosingFunction((void *)at) == (void *)trap) return;
    _Unwind_Backtrace(look, &found);
    steps++;
    if (!found && !lost++) first_lost = at;
}

__attribute__((noinline)) static void *work(void *unused) {
    outermost = (_Unwind_Word)work;
    access_all();
    for (int size = 0; size < SIZES; size++)
        for (int offset = 4; offset < 8; offset += 3) {
            new_epoch();
            trap(1);
            put(piece(size, offset), size);
            seen += get(piece(size, offset), size);
            trap(0);
            new_epoch();
            trap(1);
            seen += get(piece(size, offset), size);
            put_again(piece(size, offset), size);
            counter++;
            piece(size, offset)[1] = 2;
            memmove((char *)piece(size, offset), (char *)piece(size, offset) + 2, 20);
            trap(0);
        }
    return unused;
}

int main(void) {
    struct sigaction by_libc = {.sa_handler = SIG_IGN};
    struct kernel_action action;
    sigaction(SIGTRAP, &by_libc, 0);
    kernel_sigaction(SIGTRAP, 0, &action);
    action.handler = (void *)stepped;
    action.flags |= SA_SIGINFO;
    kernel_sigaction(SIGTRAP, &action, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (lost || steps < 10000)
        fprintf(stderr, "lost at %ld of %ld steps, first at %#lx\n", lost, steps, first_lost);
    else
        fprintf(stderr, "unwound at each of %ld steps\n", steps);
    return 0;
}
