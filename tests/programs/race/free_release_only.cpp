// The last user of a counted block frees it, and has not acquired what the others did: the advice names the operation.
// LEVELS: O1
// REPORTS: 2
// EXPECT: data race between access and free
// EXPECT: help: T0 has read 0x[0-9a-f]+ relaxed, which orders nothing: read it with acquire
#include <atomic>

#include "unordered.h"

struct Block {
    volatile int value = 1;
    std::atomic<int> users{2};
};

static Block *block = new Block;

// A release only; it would have to acquire as well.
static void drop() {
    if (block->users.fetch_sub(1, std::memory_order_release) == 1) delete block;
}

static void first(void) {
    block->value = 2;
    drop();
}

static void second(void) {
    drop();
}
