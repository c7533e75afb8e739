// A local static is made once, and only read then.
#include <string>
#include <thread>

static std::string &name() {
    static std::string text = "a name that is long enough to be on the heap";
    return text;
}

int main() {
    std::thread other([] {
        if (name()[0] == 0) __builtin_trap();
    });
    if (name()[0] != 'a') __builtin_trap();
    other.join();
    return 0;
}
