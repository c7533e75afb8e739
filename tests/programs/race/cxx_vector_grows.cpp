// A vector grows while another thread reads an element.
// EXPECT: data race
#include <thread>
#include <vector>

#include "check.h"

int main() {
    std::vector<int> values{1, 2};
    const int *first = &values[0];
    std::thread other([&] { CHECK(values[0] == 1 && first); });
    for (int i = 0; i < 50; i++) values.push_back(i);
    other.join();
    return 0;
}
