// A static member of a template, once for each type, which two threads use.
// EXPECT: data race on
#include <thread>

template <typename Type> struct Counter {
    static inline Type value = 0;
    static void up() { value = value + 1; }
};

int main() {
    std::thread other(Counter<int>::up);
    Counter<int>::up();
    other.join();
    return Counter<int>::value == 0;
}
