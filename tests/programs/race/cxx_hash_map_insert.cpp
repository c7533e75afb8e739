// A hash map is searched by two threads, and another thread has inserted: nothing tells them of it.
// EXPECT: data race
#include <string>
#include <thread>
#include <unordered_map>

#include "invisible.h"

static std::unordered_map<int, std::string> map;
static int inserted;

static void find() {
    invisible_wait(&inserted, 1);
    auto found = map.find(7);
    if (found == map.end() || found->second != "seven") __builtin_trap();
}

int main() {
    map[3] = "three";
    std::thread reader(find), other(find);
    map[7] = "seven";
    invisible_signal(&inserted);
    reader.join();
    other.join();
    return 0;
}
