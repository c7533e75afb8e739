// The same where each word has its bytes from other places.
// REPORTS: 14
// EXPECT: 14 data races \(1920 occurrences\)
#define IRREGULAR
#include "places_of_bytes.h"
