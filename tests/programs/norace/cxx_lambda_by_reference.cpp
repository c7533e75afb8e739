// A thread has a copy of a local variable of the function that started it.
#include <thread>

static std::thread start() {
    return {};
}

int main() {
    int counter = 0;
    std::thread other;
    other = std::thread([counter]() mutable { counter++; });
    counter++;
    other.join();
    (void)start;
    return counter == 0;
}
