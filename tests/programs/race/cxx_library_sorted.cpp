// A thread sorts numbers, and another one, who is not told, reads one of them.
// LIBCXX: dynamic static
// EXPECT: data race[^\n]*\n +Read of size 4 [^\n]*\n(?:[^\n]*\n)*? +Earlier write of size 4 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*sort
#include <algorithm>
#include <thread>
#include <vector>

#include "invisible.h"

static std::vector<int> numbers;
static int sorted;

int main() {
    for (int i = 0; i < 100; i++) numbers.push_back(i * 37 % 100);
    std::thread writer([] {
        std::sort(numbers.begin(), numbers.end());
        invisible_signal(&sorted);
    });
    std::thread reader([] {
        invisible_wait(&sorted, 1);
        if (numbers[50] != 50) __builtin_trap();
    });
    writer.join();
    reader.join();
    return 0;
}
