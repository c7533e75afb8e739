// As the silent twin, but the counter is cleared while the others are not known to be done with it: a race with what was added last.
// REPORTS: 1
// EXPECT: data race on `counter\.added`
// EXPECT: Write of size 4
// EXPECT: Earlier atomic write of size 4
#define RACE
#include "counter_again.h"
