// Threads sort numbers of all kinds, each some of its own, and another one looks at them when they are done.
#include <algorithm>
#include <thread>
#include <vector>

template <class T> static std::vector<T> numbers;

template <class T> static void fill_and_sort() {
    for (int i = 0; i < 1000; i++) numbers<T>.push_back(T(i * 37 % 101));
    std::sort(numbers<T>.begin(), numbers<T>.end());
}

template <class... T> static void in_threads() {
    std::thread threads[] = {std::thread(fill_and_sort<T>)...};
    for (auto &thread : threads) thread.join();
    if (!(std::is_sorted(numbers<T>.begin(), numbers<T>.end()) && ...)) __builtin_trap();
}

int main() {
    in_threads<char, signed char, unsigned char, wchar_t, short, unsigned short, int, unsigned>();
    in_threads<long, unsigned long, long long, unsigned long long, float, double, long double>();
    return 0;
}
