// The same in order.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#define KIND KILL_SELF
#include "signal_own.h"
