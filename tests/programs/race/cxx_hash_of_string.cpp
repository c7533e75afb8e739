// A thread hashes a string, whose bytes are read by the standard library, and another one, who is not told, changes one of them.
// EXPECT: data race[^\n]*\n +Write of size 1 [^\n]*\n(?:[^\n]*\n)*? +Earlier read of size [0-9]+ [^\n]*\n(?:[^\n]*\n)*? +#[0-9]+ [^\n]*(?i:hash)
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "invisible.h"

static std::string text = "as long as it does not fit into the string itself";
static int hashed;

int main() {
    std::thread reader([] {
        if (std::hash<std::string>()(text) == 1) abort();
        invisible_signal(&hashed);
    });
    char *const last = &text.back();
    std::thread writer([last] {
        invisible_wait(&hashed, 1);
        *last = 'F';
    });
    reader.join();
    writer.join();
    return 0;
}
