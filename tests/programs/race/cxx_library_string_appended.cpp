// A thread appends to a string of which it is not told that another one has appended to it: what the string says of its length is written by functions of the
// standard library.
// LIBCXX: dynamic static
// EXPECT: data race on `_?_?[a-zA-Z_.]*(?:length|size|is_long)[^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*append[^\n]*\n(?:[^\n]*\n)*? +Earlier write[^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*append
#include <string>
#include <thread>

#include "invisible.h"

static std::string text, more = "abc";
static int appended;

int main() {
    std::thread one([] {
        text.append(more);
        invisible_signal(&appended);
    });
    std::thread other([] {
        invisible_wait(&appended, 1);
        text.append(more.data(), 2);
    });
    one.join();
    other.join();
    if (text != "abcab") __builtin_trap();
    return 0;
}
