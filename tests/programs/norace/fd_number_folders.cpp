// Two threads walk through folders, each its own: the numbers of their descriptors are used by both in turn.
// LEVELS: O1
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace files = std::filesystem;

static void walk(const files::path &top) {
    for (int round = 0; round < 50; round++) {
        files::create_directories(top / "inner");
        std::ofstream(top / "inner" / "file") << "text" << std::endl;
        for (const auto &entry : files::recursive_directory_iterator(top)) (void)entry.is_directory();
        files::remove_all(top);
    }
}

int main() {
    files::path own = files::temp_directory_path() / ("goldilocks-walk-" + std::to_string(getpid()));
    std::thread one(walk, own / "one"), other(walk, own / "other");
    one.join();
    other.join();
    files::remove_all(own);
}
