// A thread asks for the first element of a map of which it is not told that another one has put an element there: the map's pointer to it is written by the
// standard library.
// EXPECT: data race[^\n]*\n +Read of size 8 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*begin[^\n]*\n(?:[^\n]*\n)*? +Earlier write of size 8 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*insert
#include <map>
#include <thread>

#include "invisible.h"

static std::map<int, int> map;
static int inserted;

int main() {
    for (int i = 0; i < 9; i++) map[i] = i;
    std::thread writer([] {
        map[-1] = 1;
        invisible_signal(&inserted);
    });
    std::thread reader([] {
        invisible_wait(&inserted, 1);
        if (map.begin() == map.end()) __builtin_trap();
    });
    writer.join();
    reader.join();
    return 0;
}
