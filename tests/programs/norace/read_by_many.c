// Twenty readers, all of which are known to who writes.
enum { MISSES = 0 };
#include "read_by_many.h"
