// Fibers by ucontext, each told by annotation before every switch. 0 as a fiber is the context of the running thread itself.
#pragma once
#include <stdlib.h>
#include <ucontext.h>

#include "invisible.h"

void *__tsan_create_fiber(unsigned);
void __tsan_destroy_fiber(void *);
void *__tsan_get_current_fiber(void);
void __tsan_switch_to_fiber(void *, unsigned);
void __tsan_set_fiber_name(void *, const char *);

enum { ORDERED = 0, UNORDERED = 1 };

struct fiber {
    ucontext_t context;
    void *told;
    char *stack;
};

// What these functions note is no part of the test.
INVISIBLE void fiber_init(struct fiber *fiber, void (*start)(void)) {
    getcontext(&fiber->context);
    fiber->stack = malloc(64 << 10);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = 64 << 10;
    fiber->context.uc_link = 0;
    fiber->told = __tsan_create_fiber(0);
    makecontext(&fiber->context, start, 0);
}

INVISIBLE void fiber_here(struct fiber *fiber) { fiber->told = __tsan_get_current_fiber(); }

INVISIBLE void fiber_switch(struct fiber *from, struct fiber *to, unsigned flags) {
    __tsan_switch_to_fiber(to->told, flags);
    swapcontext(&from->context, &to->context);
}

INVISIBLE void fiber_end(struct fiber *fiber) {
    __tsan_destroy_fiber(fiber->told);
    free(fiber->stack);
}
