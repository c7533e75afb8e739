// Two fibers in one thread race if their switches are said not to order them; the report names the fiber.
// REPORTS: 1
// EXPECT: data race on `data`
// EXPECT: Earlier write .* by fiber T1 `worker`
// EXPECT: #1 start
// EXPECT: Fiber T1 `worker` .* created by T0
#include "fiber.h"

static struct fiber here, there;
static volatile int data;

__attribute__((noinline)) static void work(void) {
    data = 1;
    __asm__ volatile("");
}

static void start(void) {
    work();
    fiber_switch(&there, &here, UNORDERED);
}

int main(void) {
    fiber_init(&there, start);
    fiber_here(&here);
    __tsan_set_fiber_name(there.told, "worker");
    fiber_switch(&here, &there, ORDERED);
    data = 2;
    fiber_end(&there);
    return 0;
}
