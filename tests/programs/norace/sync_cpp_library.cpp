// Text, streams, regular expressions, locales and paths, by several threads at once: code of the C++ library that is not instrumented.
#include <filesystem>
#include <iostream>
#include <locale>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

static std::mutex mutex;
static std::ostringstream together;

static void work(int number) {
    static const std::regex words("([a-z]+)([0-9]+)");
    for (int i = 0; i < 50; i++) {
        std::ostringstream own;
        own.imbue(std::locale::classic());
        own << "abc" << number * 1000 + i << ' ' << 1.5 << ' ' << std::hex << i;
        std::istringstream back(own.str());
        std::string first;
        double second;
        CHECK(static_cast<bool>(back >> first >> second) && second == 1.5);
        std::smatch match;
        CHECK(std::regex_match(first, match, words) && match[1] == "abc");
        CHECK(std::toupper(first[0], std::locale()) == 'A');
        std::filesystem::path path = std::filesystem::temp_directory_path() / first;
        CHECK(path.filename() == first && !std::filesystem::exists(path / "none"));
        std::lock_guard lock(mutex);
        together << own.str() << '\n';
        std::cout << first << std::endl;
    }
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(work, i);
    for (auto &thread : threads) thread.join();
    CHECK(!together.str().empty());
    return 0;
}
