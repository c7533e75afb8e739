// The stack of a coroutine overflows, anywhere in the program or in what watches it; the handler goes on elsewhere, by another context
// or by a jump. Nothing is kept locked by that, and detection goes on.
// REPORTS: 1
// EXPECT: data race on `shared`
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

enum { HALF = 16 << 10, ROUNDS = 96, SINKS = 64 };

static volatile int shared;
static long sinks[SINKS];
static atomic_int counts[SINKS];
static int jumps, atomics;
static sigjmp_buf out;
// Where `on_stack` has its own stack pointer, and where it goes on.
__attribute__((used)) static void *volatile kept, *volatile back;

static volatile int deepest;

static int down(int depth) {
    if (atomics) {
        atomic_fetch_add_explicit(&counts[depth % SINKS], 1, memory_order_acq_rel);
    } else {
        sinks[depth % SINKS] = depth;
        ((volatile char *)sinks)[(depth * 7 + 3) % (int)sizeof sinks] = 1;
    }
    deepest = depth;
    return down(depth + 1) + deepest;
}

__attribute__((used)) static void bottomless(void) {
    down(0);
}

static void handler(int number, siginfo_t *info, void *context) {
    (void)info;
    if (jumps) siglongjmp(out, number);
    ucontext_t *at = context;
    at->uc_mcontext.gregs[REG_RSP] = (greg_t)kept;
    at->uc_mcontext.gregs[REG_RIP] = (greg_t)back;
}

// Calls `bottomless` with this stack pointer; the handler comes back.
static void on_stack(void *top) {
    __asm__ volatile(
        "push %%rbp\n push %%rbx\n"
        "mov %%rsp, kept(%%rip)\n"
        "lea 1f(%%rip), %%rcx\n mov %%rcx, back(%%rip)\n"
        "mov %%rax, %%rsp\n"
        "call bottomless\n"
        "1: pop %%rbx\n pop %%rbp\n"
        : "+a"(top)
        :
        : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2",
          "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
}

static void first(void) {
    shared = 1;
}

static void second(void) {
    alarm(100);
    char *pages = mmap(0, 2 * HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages, HALF, PROT_NONE) == 0);
    stack_t stack = {.ss_sp = malloc(64 << 10), .ss_size = 64 << 10};
    CHECK(sigaltstack(&stack, 0) == 0);
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
    CHECK(sigaction(SIGSEGV, &action, 0) == 0);
    for (int round = 0; round < ROUNDS; round++) {
        jumps = round & 1;
        atomics = round >> 1 & 1;
        char *top = pages + 2 * HALF - 64 - round / 4 * 16;
        deepest = 0;
        if (!sigsetjmp(out, 1)) on_stack(top);
        CHECK(deepest > 10);
    }
    for (int i = 0; i < SINKS; i++) {
        sinks[i]++;
        counts[i]++;
    }
    shared = 2;
}
