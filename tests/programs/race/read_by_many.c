// One of twenty readers is not known to who writes: each of the words races with that one alone.
// REPORTS: 2
// EXPECT: 2 data races \(6144 occurrences\)
enum { MISSES = 1 };
#include "read_by_many.h"
