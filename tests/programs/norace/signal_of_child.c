// Who takes the signal of a child that ends comes after who has made it.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
#include "signal_of_child.h"
