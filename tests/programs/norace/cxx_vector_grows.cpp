// A vector has room for what is appended while another thread reads an element.
#include <thread>
#include <vector>

#include "check.h"

int main() {
    std::vector<int> values{1, 2};
    values.reserve(100);
    const int *first = &values[0];
    std::thread other([&] { CHECK(*first == 1); });
    for (int i = 0; i < 50; i++) values.push_back(i);
    other.join();
    return 0;
}
