// What a byte races with has its own place, where words have their bytes from the same places as many others.
// REPORTS: 14
// EXPECT: 14 data races \(1920 occurrences\)
#include "places_of_bytes.h"
