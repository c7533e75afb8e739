// A static member of a template for each of two types.
#include <thread>

template <typename Type> struct Counter {
    static inline Type value = 0;
    static void up() { value = value + 1; }
};

int main() {
    std::thread other(Counter<int>::up);
    Counter<long>::up();
    other.join();
    return Counter<int>::value == 0;
}
