// What a thread does to itself, or to a child of its own, by a signal, another thread that does the same does not come after.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// REPORTS: 1
// EXPECT: data race on `shared`
#define KIND KILL_SELF
#define RACE
#include "signal_own.h"
