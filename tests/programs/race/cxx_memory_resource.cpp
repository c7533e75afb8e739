// Two threads allocate from a resource that is not synchronized.
// FLAGS: -std=c++20
// EXPECT: data race
#include <memory_resource>
#include <thread>
#include <vector>

static std::pmr::unsynchronized_pool_resource pool;

static void work() {
    for (int i = 0; i < 20; i++) {
        std::pmr::vector<int> values(&pool);
        for (int j = 0; j < 20; j++) values.push_back(j);
    }
}

int main() {
    std::thread other(work);
    work();
    other.join();
    return 0;
}
