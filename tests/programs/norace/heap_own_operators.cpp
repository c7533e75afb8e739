// A program that replaces operator new and delete gets its own.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "check.h"

static int made, gone;

void *operator new(std::size_t size) {
    made++;
    if (void *block = std::malloc(size)) return block;
    throw std::bad_alloc();
}
void operator delete(void *block) noexcept {
    gone++;
    std::free(block);
}

int main() {
    int *volatile number = new int(1);
    delete number;
    CHECK(made == 1 && gone == 1);
    { std::string text(100, 'x'); }
    int *volatile numbers = new int[10];
    delete[] numbers;
    CHECK(made == 3 && gone == 3);
}
