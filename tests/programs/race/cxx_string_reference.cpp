// A string is appended to, and nothing orders that with another thread that has looked at it.
// EXPECT: data race
#include <string>
#include <thread>

#include "check.h"
#include "invisible.h"

static int looked;

int main() {
    std::string text = "a text that is too long to be in the object itself";
    std::thread other([&text] {
        CHECK(text.size() > 10 && text[3] == 'e');
        invisible_signal(&looked);
    });
    invisible_wait(&looked, 1);
    text += " and more";
    other.join();
    return 0;
}
