// As the silent twin, but one setting is changed while the others are not known to be done with it: a race with the last read of each.
// REPORTS: 1
// EXPECT: data race on `settings\.limit`
// EXPECT: 1 data race \(3 occurrences\)
// EXPECT: Write of size 4
// EXPECT: Earlier read of size 4
#define RACE
#include "settings_again.h"
