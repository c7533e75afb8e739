// A hash map is searched while another thread inserts.
// EXPECT: data race
#include <unordered_map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::unordered_map<int, std::string> map;
static std::shared_mutex mutex;

static void find() {
    auto found = map.find(7);
    if (found != map.end() && found->second != "seven") __builtin_trap();
}

int main() {
    map[3] = "three";
    std::thread reader(find), other(find);
    {
        map[7] = "seven";
    }
    reader.join();
    other.join();
    return 0;
}
