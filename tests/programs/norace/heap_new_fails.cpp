// operator new that cannot: the new-handler is asked, and then bad_alloc thrown, through frames with destructors.
// LEVELS: O0
#include <cstdint>
#include <new>

#include "check.h"

static int asked, destroyed;

struct Witness {
    ~Witness() { destroyed++; }
};

static void handler() {
    if (++asked == 3) std::set_new_handler(nullptr);
}

static void fail() {
    Witness witness;
    volatile std::size_t size = SIZE_MAX / 4;
    char *block = new char[size];
    block[0] = 1;
}

int main() {
    std::set_new_handler(handler);
    bool caught = false;
    try {
        fail();
    } catch (std::bad_alloc &) {
        caught = true;
    }
    CHECK(caught && asked == 3 && destroyed == 1);
    volatile std::size_t size = SIZE_MAX / 4;
    CHECK(!new (std::nothrow) char[size]);
    CHECK(!operator new(size, std::align_val_t(64), std::nothrow));
}
