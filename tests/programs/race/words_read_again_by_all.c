// As the silent twin, but each reader reads one word once more, another one each, which the writer does not know of.
// REPORTS: 1
// EXPECT: Write of size 4
// EXPECT: Earlier read of size 8
// EXPECT: 1 data race \(3 occurrences\)
// EXPECT: offset 159200
#define WIDTH 1
#define RACE
#include "many_again.h"
