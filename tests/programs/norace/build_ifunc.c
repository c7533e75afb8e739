// A function that is chosen when the program is loaded.
#include "ordered.h"

int value;
static int choice = 1, chosen;

static void one(void) {
    value = 1;
}
static void two(void) {
    value = 2;
}
static void (*choose(void))(void) {
    chosen = choice;
    return chosen ? one : two;
}
void work(void) __attribute__((ifunc("choose")));

static void first(void) {
    work();
}
static void second(void) {
    work();
}
