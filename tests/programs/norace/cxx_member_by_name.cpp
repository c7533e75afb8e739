// Two threads use neighbouring members of an object.
#include <thread>

struct Pair {
    short left = 0, right = 0;
};

int main() {
    Pair pair;
    short &first = pair.left;
    short *second = &pair.right;
    std::thread other([&first] { first = 1; });
    *second = 2;
    other.join();
    return pair.left == 0;
}
