// Pairs of words that all threads read at once in each of their sync epochs: who changes a word of one races with the last of these reads of each.
// REPORTS: 2
// EXPECT: race on .{0,20}pairs\.first\)\[1\]([^\n]*\n){1,8}? *Earlier read of size 16 [^\n]*\n +#0 at_last
// EXPECT: race on .{0,20}pairs\.second\)\[0\]([^\n]*\n){1,8}? *Earlier read of size 16 [^\n]*\n +#0 at_last
// EXPECT: 2 data races \(6 occurrences\)
#define RACE
#include "pairs_again.h"
