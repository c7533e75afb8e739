// More sync epochs are remembered at once than there is room for: this is said, what was found before is reported, and the program
// goes on to its end.
// LEVELS: O1
// OPTIONS: epoch_groups=16
// REPORTS: 1
// EXPECT: DETECTION HAS ENDED
// EXPECT: data race
// EXPECT: 1 data race .*\n.*\n.*has ended before the program did
// EXPECT: all 4000 are there
#include "epochs.h"

static volatile int shared;

static void write_one(void) {
    shared = 1;
}
static void write_two(void) {
    shared = 2;
}

int main(void) {
    use_up_epochs(write_one, write_two);
    return 0;
}
