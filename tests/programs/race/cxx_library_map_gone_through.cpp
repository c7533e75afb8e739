// A thread goes through a map: the pointers of the nodes are read by the standard library. Another one is not told of that before it removes an element behind
// those that the first one has come to.
// EXPECT: data race[^\n]*\n +Write of size 8 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*erase[^\n]*\n(?:[^\n]*\n)*? +Earlier read of size 8 [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*operator\+\+
#include <map>
#include <thread>

#include "invisible.h"

static std::map<int, int> map;
static int seen;

int main() {
    for (int i = 0; i < 3; i++) map[i] = i;
    std::thread reader([] {
        auto place = map.find(1);
        ++place;
        if (place == map.end()) __builtin_trap();
        invisible_signal(&seen);
    });
    std::thread writer([] {
        invisible_wait(&seen, 1);
        map.erase(2);
    });
    reader.join();
    writer.join();
    return 0;
}
