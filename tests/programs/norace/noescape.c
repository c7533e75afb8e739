// The same in order.
#include "noescape.h"
