// A switch of stacks from where an exception would be caught, as Boost's is seen, whose declaration does not say that it throws none.
// FLAGS: -fno-optimize-sibling-calls
// REPORTS: 3
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_switch[^\n]*\n *#2 goes_there[^\n]*\n *#3 switches\b
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_switch[^\n]*\n *#2 goes_there[^\n]*\n *#3 switches_again\b
// EXPECT: Earlier write[^:]*:\n *#0 touch[^\n]*\n *#1 after_throw[^\n]*\n *#2 goes_there[^\n]*\n *#3 switches_and_catches\b
#include <ucontext.h>

#include "unordered.h"

#define NOINLINE extern "C" __attribute__((noinline))

static volatile int values[3];
static ucontext_t contexts[2];
static int running;
static bool throwing;
static char stack[65536];

// Comes back when somebody switches back.
extern "C" void jump_fcontext(int to);
__asm__(".text\n.globl jump_fcontext\njump_fcontext:\n\tjmp switch_to_context\n");
extern "C" __attribute__((used, visibility("hidden"), disable_sanitizer_instrumentation)) void switch_to_context(int to) {
    int from = running;
    running = to;
    swapcontext(&contexts[from], &contexts[to]);
    if (from == 0 && throwing) throw 1;
}

NOINLINE void touch(volatile int *value) {
    *value = 1;
    // So that it is the same instruction for all, and the last of the function.
    __asm__ volatile("" : : : "memory");
}
NOINLINE void after_switch(volatile int *value) {
    touch(value);
    __asm__ volatile("");
}
NOINLINE void after_throw(volatile int *value) {
    touch(value);
    __asm__ volatile("");
}
NOINLINE void goes_there(volatile int *value) {
    try {
        jump_fcontext(1);
        after_switch(value);
    } catch (int) {
        after_throw(value);
    }
    __asm__ volatile("");
}
NOINLINE void switches() {
    goes_there(&values[0]);
    __asm__ volatile("");
}
NOINLINE void switches_again() {
    goes_there(&values[1]);
    __asm__ volatile("");
}
NOINLINE void switches_and_catches() {
    throwing = true;
    goes_there(&values[2]);
    __asm__ volatile("");
}
NOINLINE void back() {
    jump_fcontext(0);
    __asm__ volatile("");
}
NOINLINE void on_other_stack() {
    for (;;) back();
}

static void first(void) {
    getcontext(&contexts[1]);
    contexts[1].uc_stack.ss_sp = stack;
    contexts[1].uc_stack.ss_size = sizeof stack;
    makecontext(&contexts[1], on_other_stack, 0);
    jump_fcontext(1);
    switches();
    switches_again();
    switches_and_catches();
}

static void second(void) {
    values[0] = 2;
    values[1] = 2;
    values[2] = 2;
}
