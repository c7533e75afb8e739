// The same in order.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#define KIND CHILD
#include "signal_own.h"
