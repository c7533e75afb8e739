// Code that is not instrumented has a map, under a lock that the detector does not see: what the standard library does to that map is nobody's business, though
// the program has maps, too.
// LEVELS: O2
// BUILD: $CXX $FLAGS -DOTHERS --goldilocks-no-instrument -c $SRC -o $OUT.o
// BUILD: $CXX $FLAGS $SRC $OUT.o -o $OUT
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <thread>

long insert_in_others(int key);

#ifdef OTHERS
static std::atomic_flag held;
// Of types that the rest of the program has no map of: there is one copy of each function made for a type.
static std::map<long, short> map;
static std::list<long> list;

long insert_in_others(int key) {
    while (held.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    map[key] = key;
    list.push_front(key);
    long sum = 0;
    for (auto &[present, value] : map) sum += present - value;
    if (key % 3 == 0) map.erase(key), list.reverse();
    held.clear(std::memory_order_release);
    return sum;
}
#else
static std::mutex mutex;
static std::map<int, int> map;

static void insert() {
    for (int key = 0; key < 300; key++) {
        if (insert_in_others(key) != 0) __builtin_trap();
        std::lock_guard lock(mutex);
        map[key] = key;
        if (std::next(map.begin())->first == -1) __builtin_trap();
    }
}

int main() {
    map[-3] = 0;
    std::thread one(insert), other(insert);
    one.join();
    other.join();
    return 0;
}
#endif
