// A block that a reader has announced is freed without looking.
// EXPECT: data race
#include <atomic>
#include <thread>

#include "check.h"
#include "invisible.h"

struct Block {
    int value = 7;
};
static std::atomic<Block *> current{new Block}, announced;
static int steps[2];

int main() {
    std::thread reader([] {
        Block *block = current.load();
        announced.store(block);
        invisible_signal(&steps[0]);
        CHECK(current.load() == block || !current.load());
        CHECK(block->value == 7);
        invisible_signal(&steps[1]);
        announced.store(nullptr);
    });
    invisible_wait(&steps[0], 1);
    Block *old = current.exchange(nullptr);
    invisible_wait(&steps[1], 1);
    delete old;
    reader.join();
    return 0;
}
