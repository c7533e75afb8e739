// Two threads use one member of an object, each by another name for the object.
// EXPECT: data race on
#include <thread>

struct Pair {
    short left = 0, right = 0;
};

int main() {
    Pair pair;
    short &first = pair.left;
    short *second = &pair.left;
    std::thread other([&first] { first = 1; });
    *second = 2;
    other.join();
    return pair.left == 0;
}
