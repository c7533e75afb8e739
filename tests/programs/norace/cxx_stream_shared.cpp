// Two threads write to standard output, which orders its characters, and to streams of their own.
#include <iostream>
#include <sstream>
#include <thread>

int main() {
    auto write = [] {
        std::ostringstream stream;
        stream << "text" << 1;
        std::cout << stream.str() << std::flush;
    };
    std::thread other(write);
    write();
    other.join();
    return 0;
}
