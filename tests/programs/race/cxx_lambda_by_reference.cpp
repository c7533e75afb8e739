// A thread uses a local variable of the function that started it and goes on.
// EXPECT: data race on
#include <thread>

static std::thread start() {
    return {};
}

int main() {
    int counter = 0;
    std::thread other;
    other = std::thread([&counter] { counter++; });
    counter++;
    other.join();
    (void)start;
    return counter == 0;
}
