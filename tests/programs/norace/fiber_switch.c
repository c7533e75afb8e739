// A switch to a fiber and one back order what is before and after them.
#include "fiber.h"

static struct fiber here, there;
static volatile int data;

__attribute__((noinline)) static void work(void) {
    data = 1;
    __asm__ volatile("");
}

static void start(void) {
    work();
    fiber_switch(&there, &here, ORDERED);
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
