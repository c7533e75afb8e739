// The same in order.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#define KIND RAISE
#include "signal_own.h"
