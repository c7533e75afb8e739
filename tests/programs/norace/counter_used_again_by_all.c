// All threads add to a counter in each of their epochs, which each keeps to itself; it is cleared when nobody adds.
#include "counter_again.h"
