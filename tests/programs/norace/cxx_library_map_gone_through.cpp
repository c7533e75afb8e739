// Threads go through a map side by side, and one changes it when both are done.
#include <map>
#include <set>
#include <thread>

static std::map<int, int> map;
static std::set<long> set;

static void go_through() {
    long sum = 0;
    for (auto &[key, value] : map) sum += key - value;
    for (auto place = set.rbegin(); place != set.rend(); ++place) sum += *place;
    if (sum != 4950) __builtin_trap();
}

int main() {
    for (int i = 0; i < 100; i++) {
        map[i * 7 % 100] = i * 7 % 100;
        set.insert(i);
    }
    std::thread one(go_through), other(go_through);
    one.join();
    other.join();
    std::thread last([] {
        for (int i = 0; i < 100; i += 3) map.erase(i), set.erase(i);
        map[200] = 1;
    });
    last.join();
    return map.size() == 67 ? 0 : 1;
}
