// Two threads allocate from a resource that is not synchronized, one after the other, so that the resource stays whole.
// FLAGS: -std=c++20
// EXPECT: data race
#include <memory_resource>
#include <vector>

#include "unordered.h"

static std::pmr::unsynchronized_pool_resource pool;

static void work() {
    for (int i = 0; i < 20; i++) {
        std::pmr::vector<int> values(&pool);
        for (int j = 0; j < 20; j++) values.push_back(j);
    }
}

static void first() { work(); }
static void second() { work(); }
