// Who takes the signal of a child that ends does not come after what was done once the child was there.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// EXPECT: data race on `shared\[0\]`
// EXPECT: data race on `shared\[1\]`
// EXPECT: ^Goldilocks: 2 data races \(3 occurrences\)
#define RACE
#include "signal_of_child.h"
