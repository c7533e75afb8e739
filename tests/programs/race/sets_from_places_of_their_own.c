// Words that several threads read, each from a place of its own: a report says the place of its word.
// REPORTS: 4
// EXPECT: #0 change [^\n]*:36:([^\n]*\n){1,8}? *Earlier read of size 8 [^\n]*\n +#0 from_first
// EXPECT: #0 change [^\n]*:37:([^\n]*\n){1,8}? *Earlier read of size 8 [^\n]*\n +#0 from_second
// EXPECT: #0 change [^\n]*:38:([^\n]*\n){1,8}? *Earlier read of size 8 [^\n]*\n +#0 from_third
// EXPECT: #0 change [^\n]*:39:([^\n]*\n){1,8}? *Earlier read of size 8 [^\n]*\n +#0 from_fourth
// EXPECT: 4 data races \(768 occurrences\)
#define RACE
#include "places_of_their_own.h"
