// Threads append to copies of a string.
#include <string>
#include <thread>

#include "check.h"

int main() {
    std::string text = "a text that is too long to be in the object itself";
    std::thread other([text]() mutable { text += text; CHECK(text[3] == 'e'); });
    text += " and more";
    other.join();
    return 0;
}
