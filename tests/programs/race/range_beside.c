// The first half of a word whose second half a thread has accessed before it accessed the first one by a loop: what the loop has is not what the thread had before.
// REPORTS: 2
// EXPECT: #0 set_one ([^\n]*\n){1,8}? *Earlier read of size [^\n]*\n +#0 sum
// EXPECT: #0 one ([^\n]*\n){1,8}? *Earlier write of size [^\n]*\n +#0 fill
// EXPECT: 2 data races \(128 occurrences\)
#define RACE
#include "range_beside.h"
