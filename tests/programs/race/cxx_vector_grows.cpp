// A vector grows, and nothing orders that with another thread that has read an element.
// EXPECT: data race
#include <thread>
#include <vector>

#include "check.h"
#include "invisible.h"

static int looked;

int main() {
    std::vector<int> values{1, 2};
    const int *first = &values[0];
    std::thread other([&] {
        CHECK(values[0] == 1 && first);
        invisible_signal(&looked);
    });
    invisible_wait(&looked, 1);
    for (int i = 0; i < 50; i++) values.push_back(i);
    other.join();
    return 0;
}
