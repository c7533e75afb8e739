// Tables that threads read a part of a word at a time: who changes bytes races with the only reader of these that it does not know of.
// REPORTS: 2
// EXPECT: #0 set_number ([^\n]*\n){1,8}? *Earlier read of size 4 [^\n]*\n +#0 number [^\n]*\n +#1 reader
// EXPECT: #0 set_letter ([^\n]*\n){1,8}? *Earlier read of size 1 [^\n]*\n +#0 letter [^\n]*\n +#1 reader
// EXPECT: 2 data races \(1024 occurrences\)
#define RACE
#include "tables_in_parts.h"
