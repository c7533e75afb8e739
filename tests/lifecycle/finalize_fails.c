// A run without a report fails if the program says so.
// EXPECT: it shall fail
// RUN-EXIT: 66
#include <stdio.h>

int __tsan_on_finalize(int failed) {
    fprintf(stderr, "it shall fail\n");
    return !failed;
}

int main(void) {
    return 0;
}
