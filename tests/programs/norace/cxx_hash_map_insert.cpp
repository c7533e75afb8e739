// A hash map is searched by readers, and written by the only writer.
#include <unordered_map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::unordered_map<int, std::string> map;
static std::shared_mutex mutex;

static void find() {
    std::shared_lock lock(mutex);
    auto found = map.find(7);
    if (found != map.end() && found->second != "seven") __builtin_trap();
}

int main() {
    map[3] = "three";
    std::thread reader(find), other(find);
    {
        std::unique_lock lock(mutex);
        map[7] = "seven";
    }
    reader.join();
    other.join();
    return 0;
}
