// As the silent twin, but one word is written in the last phase, while all others read it.
// LEVELS: O1
// EXPECT: data race on `word(s\[0\])?`
// EXPECT: [Rr]ead of size 8
#define RACE
#include "phases_of_readers.h"
