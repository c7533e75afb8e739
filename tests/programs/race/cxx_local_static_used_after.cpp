// A local static is made once; what is done to it then is not ordered.
// EXPECT: data race
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
    name()[0] = 'A';
    other.join();
    return 0;
}
