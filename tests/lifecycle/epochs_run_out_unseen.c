// More sync epochs are remembered at once than there is room for, and nothing was found before: the exit status is not that of a run that
// was looked at to its end, and the last line says why.
// LEVELS: O1
// OPTIONS: epoch_groups=16
// REPORTS: 0
// RUN-EXIT: 67
// EXPECT: DETECTION HAS ENDED[^\n]*\n(?s:.*)all 4000 are there\nGoldilocks: detection has ended before the program did
#include "epochs.h"

int main(void) {
    use_up_epochs(0, 0);
    return 0;
}
