// A thread moves an element to another place of a list, which the standard library does; another one, who is not told, looks at what comes after the first.
// EXPECT: data race[^\n]*\n +Read of size 8 [^\n]*\n(?:[^\n]*\n)*? +Earlier write of size 8 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*splice
#include <iterator>
#include <list>
#include <thread>

#include "invisible.h"

static std::list<int> list{1, 2, 3, 4};
static int moved;

int main() {
    const auto first = list.begin();
    std::thread writer([] {
        list.splice(std::next(list.begin()), list, std::prev(list.end()));
        invisible_signal(&moved);
    });
    std::thread reader([first] {
        invisible_wait(&moved, 1);
        if (std::next(first) == first) __builtin_trap();
    });
    writer.join();
    reader.join();
    return 0;
}
