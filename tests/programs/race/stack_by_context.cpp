// One instruction, reached in many ways: by calls, callbacks, after exceptions, jumps and switches of stacks. Each report names its own way.
// FLAGS: -fno-optimize-sibling-calls
// REPORTS: 11
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 directly
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 otherwise
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 compare
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_exception[^\n]*\n *#2 catches
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_cleanup[^\n]*\n *#2 Cleanup::~Cleanup
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_jump[^\n]*\n *#2 jumps
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 on_other_stack
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_switch[^\n]*\n *#2 goes_there[^\n]*\n *#3 switches\b
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_switch[^\n]*\n *#2 goes_there[^\n]*\n *#3 switches_again\b
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 handler
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 down[^\n]*\n *#2 down[^\n]*\n *#3 down[^\n]*\n *#4 deep
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <ucontext.h>

#include "unordered.h"

#define NOINLINE extern "C" __attribute__((noinline))

static volatile int values[11];

NOINLINE void touch(volatile int *value) {
    *value = 1;
    // So that it is the same instruction for all, and the last of the function.
    __asm__ volatile("" : : : "memory");
}
NOINLINE void directly() {
    touch(&values[0]);
    __asm__ volatile("");
}
NOINLINE void otherwise() {
    touch(&values[1]);
    __asm__ volatile("");
}
NOINLINE int compare(const void *, const void *) {
    touch(&values[2]);
    __asm__ volatile("");
    return 0;
}
NOINLINE void throws(int depth) {
    if (depth == 0) throw 1;
    throws(depth - 1);
    __asm__ volatile("");
}
NOINLINE void after_exception() {
    touch(&values[3]);
    __asm__ volatile("");
}
NOINLINE void catches() {
    try {
        throws(3);
    } catch (int) {
    }
    after_exception();
    __asm__ volatile("");
}
NOINLINE void after_cleanup() {
    touch(&values[4]);
    __asm__ volatile("");
}
struct Cleanup {
    __attribute__((noinline)) ~Cleanup() {
        after_cleanup();
        __asm__ volatile("");
    }
};
NOINLINE void cleans() {
    Cleanup cleanup;
    throws(2);
}
static std::jmp_buf buffer;
NOINLINE void leaps(int depth) {
    if (depth == 0) std::longjmp(buffer, 1);
    leaps(depth - 1);
    __asm__ volatile("");
}
NOINLINE void after_jump() {
    touch(&values[5]);
    __asm__ volatile("");
}
NOINLINE void jumps() {
    if (setjmp(buffer) == 0) leaps(3);
    after_jump();
    __asm__ volatile("");
}
static ucontext_t here, there;
static char stack[65536];
NOINLINE void back() {
    swapcontext(&there, &here);
    __asm__ volatile("");
}
NOINLINE void on_other_stack() {
    touch(&values[6]);
    // It switches back from the same place and context, whoever has switched to it.
    for (;;) back();
}
NOINLINE void after_switch(volatile int *value) {
    touch(value);
    __asm__ volatile("");
}
NOINLINE void goes_there(volatile int *value) {
    swapcontext(&here, &there);
    after_switch(value);
    __asm__ volatile("");
}
NOINLINE void switches() {
    goes_there(&values[7]);
    __asm__ volatile("");
}
NOINLINE void switches_again() {
    goes_there(&values[10]);
    __asm__ volatile("");
}
NOINLINE void switch_stacks() {
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, on_other_stack, 0);
    swapcontext(&here, &there);
    switches();
    switches_again();
}
NOINLINE void handler(int) {
    touch(&values[8]);
    __asm__ volatile("");
}
NOINLINE void down(int depth) {
    if (depth == 0)
        touch(&values[9]);
    else
        down(depth - 1);
    __asm__ volatile("");
}
NOINLINE void deep() {
    down(2);
    __asm__ volatile("");
}

static void first(void) {
    directly();
    otherwise();
    int pair[2] = {2, 1};
    std::qsort(pair, 2, sizeof pair[0], compare);
    catches();
    try {
        cleans();
    } catch (int) {
    }
    jumps();
    switch_stacks();
    std::signal(SIGUSR1, handler);
    std::raise(SIGUSR1);
    deep();
}

static void second(void) {
    values[0] = 2;
    values[1] = 2;
    values[2] = 2;
    values[3] = 2;
    values[4] = 2;
    values[5] = 2;
    values[6] = 2;
    values[7] = 2;
    values[8] = 2;
    values[9] = 2;
    values[10] = 2;
}
