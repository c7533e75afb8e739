// As the silent twin, but one number is changed while the others are not known to be done with it: a race with the last read of each.
// LEVELS: O2
// REPORTS: 1
// EXPECT: data race on `numbers\[NUMBERS / 2 \+ 3\]`
// EXPECT: 1 data race \(3 occurrences\)
// EXPECT: Write of size 8
// EXPECT: Earlier read of size 8
#define RACE
#include "sums_again.h"
