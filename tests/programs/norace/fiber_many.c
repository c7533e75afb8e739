// Thousands of fibers, one after the other and at once.
#include "fiber.h"

enum { FIBERS = 2000, ROUNDS = 3 };
static struct fiber here, there[FIBERS];
static volatile int data[FIBERS], shared;
static int number;

static void start(void) {
    int me = number;
    for (;;) {
        data[me]++;
        fiber_switch(&there[me], &here, ORDERED);
    }
}

int main(void) {
    fiber_here(&here);
    for (int i = 0; i < FIBERS; i++) fiber_init(&there[i], start);
    for (int round = 0; round < ROUNDS; round++) {
        for (number = 0; number < FIBERS; number++) {
            fiber_switch(&here, &there[number], ORDERED);
            data[number]++;
        }
    }
    for (int i = 0; i < FIBERS; i++) fiber_end(&there[i]);
    // Their states are given to others.
    for (int i = 0; i < FIBERS; i++) {
        struct fiber *fiber = &there[i];
        fiber_init(fiber, start);
        number = i;
        fiber_switch(&here, fiber, ORDERED);
        fiber_end(fiber);
    }
    return data[FIBERS - 1] == 2 * ROUNDS + 1 ? 0 : 1;
}
