// That a function keeps no pointer does not say that no thread has it while it runs.
// EXPECT: #0 result
// EXPECT: #0 sets
#define RACE
#include "noescape.h"
