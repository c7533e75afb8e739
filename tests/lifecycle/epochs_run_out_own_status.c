// Who wants the program's own exit status has it when detection ends early, too.
// LEVELS: O1
// OPTIONS: epoch_groups=16:exitcode=0
// REPORTS: 0
// RUN-EXIT: 3
// EXPECT: has ended before the program did
#include "epochs.h"

int main(void) {
    use_up_epochs(0, 0);
    return 3;
}
