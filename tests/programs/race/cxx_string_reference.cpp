// A string is appended to while another thread looks at it.
// EXPECT: data race
#include <string>
#include <thread>

#include "check.h"

int main() {
    std::string text = "a text that is too long to be in the object itself";
    std::thread other([&text] { CHECK(text.size() > 10 && text[3] == 'e'); });
    text += " and more";
    other.join();
    return 0;
}
