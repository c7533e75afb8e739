// Of many words, as the silent twin, but five bytes are read once more by one thread, ten by another one, and five changed once more, which the last one does not know of.
// REPORTS: 10
// EXPECT: Earlier read of size 1
// EXPECT: Earlier write of size 1
// EXPECT: 10 data races \(20 occurrences\)
#define RACE
#define MANY
#include "bytes_of_words.h"
